#include "facts.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

/// Source text can hold anything; JSON is UTF-8.
static json::Value utf8(StringRef text) {
  return json::isUTF8(text) ? json::Value(text) : json::Value(json::fixUTF8(text));
}

static void write(json::OStream &out, int64_t number) { out.value(number); }
static void write(json::OStream &out, uint64_t number) { out.value(number); }

static void write(json::OStream &out, const FieldFact &field) {
  out.object([&] {
    out.attribute("name", utf8(field.name));
    out.attribute("offset", field.offset);
    out.attribute("encoding", field.encoding);
    out.attribute("count", field.count);
  });
}

static void writeAttributes(json::OStream &out, const Properties &attributes) {
  out.attributeObject("attributes", [&] {
    for (const auto &[name, value] : attributes)
      out.attribute(json::fixUTF8(name), utf8(value));
  });
}

static void writeIfAny(json::OStream &out, const Properties &attributes) {
  if (!attributes.empty())
    writeAttributes(out, attributes);
}

static void write(json::OStream &out, const MemberFact &member) {
  out.object([&] {
    out.attribute("kind", utf8(member.kind));
    out.attribute("offset", member.offset);
    out.attribute("size", member.size);
    out.attribute("type", utf8(member.type));
    writeIfAny(out, member.attributes);
  });
}

template <class List> static void writeList(json::OStream &out, StringRef key, const List &items) {
  out.attributeArray(key, [&] {
    for (const auto &item : items)
      write(out, item);
  });
}

static void write(json::OStream &out, const ParameterFact &parameter) {
  out.object([&] {
    out.attribute("name", utf8(parameter.name));
    out.attribute("type", utf8(parameter.type));
    out.attribute("kind", parameter.kind);
    out.attribute("size", parameter.size);
    out.attribute("align", parameter.align);
    out.attribute("encoding", parameter.encoding);
    out.attribute("pointee_size", parameter.pointeeSize);
    out.attribute("writable", parameter.writable);
    writeList(out, "fields", parameter.fields);
    writeList(out, "members", parameter.members);
    writeIfAny(out, parameter.attributes);
  });
}

static void write(json::OStream &out, const KernelFact &kernel) {
  out.object([&] {
    out.attribute("form", kernel.form);
    out.attribute("symbol", kernel.symbol);
    out.attribute("name", utf8(kernel.name));
    out.attribute("signature", utf8(kernel.signature));
    out.attribute("file", utf8(kernel.file));
    out.attribute("line", kernel.line);
    out.attribute("internal", kernel.internal);
    writeAttributes(out, kernel.attributes);
    writeList(out, "parameters", kernel.parameters);
    if (kernel.function)
      out.attribute("function", *kernel.function);
    if (kernel.objectFunction)
      out.attribute("object_function", *kernel.objectFunction);
  });
}

static void writePlace(json::OStream &out, const PlaceFact &place) {
  out.attributeArray("place", [&] {
    out.value(place.file);
    out.value(place.line);
    out.value(place.column);
  });
}

static void write(json::OStream &out, const UseFact &use) {
  out.object([&] {
    out.attribute("aspect", use.aspect);
    out.attribute("what", utf8(use.what));
    writePlace(out, use.place);
  });
}

static void writeIf(json::OStream &out, StringRef key, bool value) {
  if (value)
    out.attribute(key, true);
}

template <class List> static void writeIfAny(json::OStream &out, StringRef key, const List &items) {
  if (!items.empty())
    writeList(out, key, items);
}

static void write(json::OStream &out, const CallFact &call) {
  out.object([&] {
    out.attribute("callee", call.callee);
    writePlace(out, call.place);
    writeIfAny(out, "condition", call.condition);
  });
}

static void write(json::OStream &out, const ViolationFact &violation) {
  out.object([&] {
    out.attribute("rule", violation.rule);
    out.attribute("what", utf8(violation.what));
    writePlace(out, violation.place);
  });
}

static void write(json::OStream &out, const ReferenceFact &reference) {
  out.object([&] {
    out.attribute("symbol", utf8(reference.symbol));
    out.attribute("variable", utf8(reference.variable));
    out.attribute("constant", utf8(reference.constant));
    writePlace(out, reference.place);
  });
}

static void writePromises(json::OStream &out, const FunctionFact &function) {
  if (const auto &declared = function.declared)
    out.attributeObject("declared", [&] {
      out.attribute("attribute", declared->attribute);
      writeList(out, "aspects", declared->aspects);
      writePlace(out, declared->place);
    });
  writeIfAny(out, "reqd_work_group_size", function.reqdWorkGroupSize);
  if (!function.reqdSubGroupSize.empty())
    out.attribute("reqd_sub_group_size", function.reqdSubGroupSize.front());
  writeIfAny(out, "work_group_size_hint", function.workGroupSizeHint);
}

static void write(json::OStream &out, const FunctionFact &function) {
  out.object([&] {
    out.attribute("symbol", utf8(function.symbol));
    out.attribute("name", utf8(function.name));
    writePlace(out, function.place);
    writeIf(out, "defined", function.isDefined);
    writeIf(out, "external", function.isExternal);
    writeIf(out, "internal", function.isInternal);
    writeIfAny(out, function.attributes);
    writePromises(out, function);
    writeIfAny(out, "uses", function.uses);
    writeIfAny(out, "retained", function.retained);
    writeIfAny(out, "calls", function.calls);
    writeIfAny(out, "violations", function.violations);
    writeIfAny(out, "references", function.references);
  });
}

static void write(json::OStream &out, const VariableFact &variable) {
  out.object([&] {
    out.attribute("symbol", utf8(variable.symbol));
    out.attribute("name", utf8(variable.name));
    writePlace(out, variable.place);
    writeAttributes(out, variable.attributes);
  });
}

static void writeDocument(raw_ostream &file, const Facts &facts) {
  json::OStream out(file);
  out.object([&] {
    out.attribute("version", 4);
    out.attributeArray("files", [&] {
      for (const std::string &name : facts.files)
        out.value(utf8(name));
    });
    writeList(out, "kernels", facts.kernels);
    writeList(out, "functions", facts.functions);
    writeIfAny(out, "variables", facts.variables);
  });
  file << '\n';
}

Error writeFacts(StringRef path, const Facts &facts) {
  std::error_code failure;
  raw_fd_ostream file(path, failure);
  if (!failure) {
    writeDocument(file, facts);
    // A full disk shows only when the last buffer is written.
    file.close();
    failure = file.error();
    // LLVM ends the process for an error that nobody asked about.
    file.clear_error();
  }
  if (failure)
    return createStringError(failure, "cannot write '%s': %s", path.str().c_str(),
                             failure.message().c_str());
  return Error::success();
}

} // namespace dovetail
