//===----------------------------------------------------------------------===//
// The class that asks for a table. For each record that derives from it,
// 'dovetail tblgen -gen-dynamic-tables' writes a std::map that the program which
// includes it can look up, add to and change as it runs. The map stands behind
// the guard GET_<name>_IMPL and has the name of the record:
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

  // The C++ type of an entry. It is written by hand, with one member for each
  // field but the first.
  string CppTypeName = FilterClass;

  // The fields of a record that make its entry. The first is the key; the others
  // follow in the order in which the C++ type is initialised.
  //
  // A record inside a field is written as its 'Name', else as the name of its def.
  //
  // A field 'string TypeOf_x' of the table tells the type of field x, as in
  // "list<Aspect>" or "list<int>", where the class says less than is meant; what
  // does not fit it is an error.
  list<string> Fields;
}
