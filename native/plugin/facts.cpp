#include "facts.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace dovetail {

/// Source text can hold anything; JSON is UTF-8.
static std::string utf8(StringRef Text) { return json::fixUTF8(Text); }

static void write(json::OStream &Out, const FieldFact &Field) {
  Out.object([&] {
    Out.attribute("name", utf8(Field.Name));
    Out.attribute("offset", Field.Offset);
    Out.attribute("encoding", Field.Encoding);
    Out.attribute("count", Field.Count);
  });
}

static void write(json::OStream &Out, const MemberFact &Member) {
  Out.object([&] {
    Out.attribute("kind", utf8(Member.Kind));
    Out.attribute("offset", Member.Offset);
    Out.attribute("size", Member.Size);
    Out.attribute("type", utf8(Member.Type));
  });
}

template <class List> static void writeList(json::OStream &Out, StringRef Key, const List &Items) {
  Out.attributeArray(Key, [&] {
    for (const auto &Item : Items)
      write(Out, Item);
  });
}

static void write(json::OStream &Out, const ParameterFact &Parameter) {
  Out.object([&] {
    Out.attribute("name", utf8(Parameter.Name));
    Out.attribute("type", utf8(Parameter.Type));
    Out.attribute("kind", Parameter.Kind);
    Out.attribute("size", Parameter.Size);
    Out.attribute("align", Parameter.Align);
    Out.attribute("encoding", Parameter.Encoding);
    Out.attribute("writable", Parameter.Writable);
    writeList(Out, "fields", Parameter.Fields);
    writeList(Out, "members", Parameter.Members);
  });
}

static void write(json::OStream &Out, const KernelFact &Kernel) {
  Out.object([&] {
    Out.attribute("form", Kernel.Form);
    Out.attribute("symbol", Kernel.Symbol);
    Out.attribute("name", utf8(Kernel.Name));
    Out.attribute("signature", utf8(Kernel.Signature));
    Out.attribute("file", utf8(Kernel.File));
    Out.attribute("line", Kernel.Line);
    Out.attributeObject("attributes", [&] {
      for (const auto &[Name, Value] : Kernel.Attributes)
        Out.attribute(utf8(Name), utf8(Value));
    });
    writeList(Out, "parameters", Kernel.Parameters);
  });
}

Error writeFacts(StringRef Path, const std::vector<KernelFact> &Kernels) {
  std::error_code Failure;
  raw_fd_ostream File(Path, Failure);
  if (Failure)
    return createStringError(Failure, "cannot write '%s': %s", Path.str().c_str(),
                             Failure.message().c_str());
  json::OStream Out(File);
  Out.object([&] {
    Out.attribute("version", 1);
    writeList(Out, "kernels", Kernels);
  });
  File << '\n';
  return Error::success();
}

} // namespace dovetail
