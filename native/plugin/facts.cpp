#include "facts.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

/// Replaces invalid UTF-8 in source text, which JSON does not allow.
static json::Value utf8(StringRef Text) {
  return json::isUTF8(Text) ? json::Value(Text) : json::Value(json::fixUTF8(Text));
}

static void write(json::OStream &J, int64_t Number) { J.value(Number); }
static void write(json::OStream &J, uint64_t Number) { J.value(Number); }

static void write(json::OStream &J, const FieldFact &Field) {
  J.object([&] {
    J.attribute("name", utf8(Field.Name));
    J.attribute("offset", Field.Offset);
    J.attribute("encoding", Field.Encoding);
    J.attribute("count", Field.Count);
  });
}

static void writeAttributes(json::OStream &J, const Properties &Attrs) {
  J.attributeObject("attributes", [&] {
    for (const auto &[Name, Value] : Attrs)
      J.attribute(json::fixUTF8(Name), utf8(Value));
  });
}

static void writeIfAny(json::OStream &J, const Properties &Attrs) {
  if (!Attrs.empty())
    writeAttributes(J, Attrs);
}

static void write(json::OStream &J, const MemberFact &Member) {
  J.object([&] {
    J.attribute("kind", utf8(Member.Kind));
    J.attribute("offset", Member.Offset);
    J.attribute("size", Member.Size);
    J.attribute("type", utf8(Member.Type));
    writeIfAny(J, Member.Attributes);
  });
}

template <class List> static void writeList(json::OStream &J, StringRef Key, const List &Items) {
  J.attributeArray(Key, [&] {
    for (const auto &Item : Items)
      write(J, Item);
  });
}

static void write(json::OStream &J, const ParameterFact &Param) {
  J.object([&] {
    J.attribute("name", utf8(Param.Name));
    J.attribute("type", utf8(Param.Type));
    J.attribute("kind", Param.Kind);
    J.attribute("size", Param.Size);
    J.attribute("align", Param.Align);
    J.attribute("encoding", Param.Encoding);
    J.attribute("pointee_size", Param.PointeeSize);
    J.attribute("writable", Param.Writable);
    writeList(J, "fields", Param.Fields);
    writeList(J, "members", Param.Members);
    writeIfAny(J, Param.Attributes);
  });
}

static void write(json::OStream &J, const KernelFact &Kernel) {
  J.object([&] {
    J.attribute("form", Kernel.Form);
    J.attribute("symbol", Kernel.Symbol);
    J.attribute("name", utf8(Kernel.Name));
    J.attribute("signature", utf8(Kernel.Signature));
    J.attribute("file", utf8(Kernel.File));
    J.attribute("line", Kernel.Line);
    J.attribute("internal", Kernel.Internal);
    writeAttributes(J, Kernel.Attributes);
    writeList(J, "parameters", Kernel.Parameters);
    if (Kernel.Function)
      J.attribute("function", *Kernel.Function);
    if (Kernel.ObjectFunction)
      J.attribute("object_function", *Kernel.ObjectFunction);
  });
}

static void writePlace(json::OStream &J, const PlaceFact &Place) {
  J.attributeArray("place", [&] {
    J.value(Place.File);
    J.value(Place.Line);
    J.value(Place.Column);
  });
}

static void write(json::OStream &J, const UseFact &U) {
  J.object([&] {
    J.attribute("aspect", U.Aspect);
    J.attribute("what", utf8(U.What));
    writePlace(J, U.Place);
  });
}

static void writeIf(json::OStream &J, StringRef Key, bool Value) {
  if (Value)
    J.attribute(Key, true);
}

template <class List> static void writeIfAny(json::OStream &J, StringRef Key, const List &Items) {
  if (!Items.empty())
    writeList(J, Key, Items);
}

static void write(json::OStream &J, const CallFact &C) {
  J.object([&] {
    J.attribute("callee", C.Callee);
    writePlace(J, C.Place);
    writeIfAny(J, "condition", C.Cond);
  });
}

static void write(json::OStream &J, const ViolationFact &Violation) {
  J.object([&] {
    J.attribute("rule", Violation.Rule);
    J.attribute("what", utf8(Violation.What));
    writePlace(J, Violation.Place);
  });
}

static void write(json::OStream &J, const ReferenceFact &Reference) {
  J.object([&] {
    J.attribute("symbol", utf8(Reference.Symbol));
    J.attribute("variable", utf8(Reference.Variable));
    J.attribute("constant", utf8(Reference.Constant));
    writePlace(J, Reference.Place);
  });
}

static void writeDeclarations(json::OStream &J, const FunctionFact &Function) {
  if (const auto &Declared = Function.Declared)
    J.attributeObject("declared", [&] {
      J.attribute("attribute", Declared->Attribute);
      writeList(J, "aspects", Declared->Aspects);
      writePlace(J, Declared->Place);
    });
  writeIfAny(J, "reqd_work_group_size", Function.ReqdWorkGroupSize);
  if (!Function.ReqdSubGroupSize.empty())
    J.attribute("reqd_sub_group_size", Function.ReqdSubGroupSize.front());
  writeIfAny(J, "work_group_size_hint", Function.WorkGroupSizeHint);
}

static void write(json::OStream &J, const FunctionFact &Function) {
  J.object([&] {
    J.attribute("symbol", utf8(Function.Symbol));
    J.attribute("name", utf8(Function.Name));
    writePlace(J, Function.Place);
    writeIf(J, "defined", Function.IsDefined);
    writeIf(J, "external", Function.IsExternal);
    writeIf(J, "internal", Function.IsInternal);
    writeIf(J, "system", Function.IsSystem);
    writeIfAny(J, Function.Attributes);
    writeDeclarations(J, Function);
    writeIfAny(J, "uses", Function.Uses);
    writeIfAny(J, "retained", Function.Retained);
    writeIfAny(J, "calls", Function.Calls);
    writeIfAny(J, "violations", Function.Violations);
    writeIfAny(J, "references", Function.References);
  });
}

static void write(json::OStream &J, const VariableFact &Variable) {
  J.object([&] {
    J.attribute("symbol", utf8(Variable.Symbol));
    J.attribute("name", utf8(Variable.Name));
    writePlace(J, Variable.Place);
    writeAttributes(J, Variable.Attributes);
  });
}

static void writeDocument(raw_ostream &File, const Facts &F) {
  json::OStream J(File);
  J.object([&] {
    J.attribute("version", 4);
    J.attributeArray("files", [&] {
      for (const std::string &Name : F.Files)
        J.value(utf8(Name));
    });
    writeList(J, "kernels", F.Kernels);
    writeList(J, "functions", F.Functions);
    writeIfAny(J, "variables", F.Variables);
  });
  File << '\n';
}

Error writeFacts(StringRef Path, const Facts &F) {
  std::error_code EC;
  raw_fd_ostream File(Path, EC);
  if (!EC) {
    writeDocument(File, F);
    // Closing writes the last buffer, and may fail on a full disk.
    File.close();
    EC = File.error();
    // The stream's destructor aborts the process if an error has not been cleared.
    File.clear_error();
  }
  if (EC)
    return createStringError(EC, "cannot write '%s': %s", Path.str().c_str(), EC.message().c_str());
  return Error::success();
}

} // namespace dovetail
