//===----------------------------------------------------------------------===//
// The class of tables. For each record that derives from it,
// 'dovetail tblgen -gen-dynamic-tables' generates a std::map, which the program
// that includes it can query and modify at run time. The map has the name of
// the record and is enabled by the macro GET_<name>_IMPL:
//
//   class Planet<string name, int size, list<int> moons> {
//     string Name = name;
//     int diameter = size;
//     list<int> moonSizes = moons;
//   }
//
//   def Planets : DynamicTable {
//     let FilterClass = "Planet";
//     let Fields = ["Name", "diameter", "moonSizes"];
//     string TypeOf_moonSizes = "list<int>";
//   }
//===----------------------------------------------------------------------===//

class DynamicTable {
  // The table has one entry for each record that derives from this class.
  string FilterClass;

  // The C++ type of an entry, which the program defines: a struct with one
  // member for each field except the first.
  string CppTypeName = FilterClass;

  // The fields of an entry. The first is the key; the others are in the order of
  // the members of the C++ type.
  //
  // A record as a value becomes its 'Name', else the name of its def.
  //
  // A field 'string TypeOf_x' of the table gives field x a more specific type
  // than the class does, such as "list<Aspect>" or "list<int>". Values of other
  // types are errors.
  list<string> Fields;
}
