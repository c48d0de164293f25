#include "facts.h"
#include "llvm/Support/raw_ostream.h"

namespace dovetail {

using namespace llvm;

/// Source text can hold anything; JSON is UTF-8.
static std::string utf8(StringRef text) { return json::fixUTF8(text); }

static void write(json::OStream &out, const FieldFact &field) {
  out.object([&] {
    out.attribute("name", utf8(field.name));
    out.attribute("offset", field.offset);
    out.attribute("encoding", field.encoding);
    out.attribute("count", field.count);
  });
}

static void write(json::OStream &out, const MemberFact &member) {
  out.object([&] {
    out.attribute("kind", utf8(member.kind));
    out.attribute("offset", member.offset);
    out.attribute("size", member.size);
    out.attribute("type", utf8(member.type));
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
    out.attributeObject("attributes", [&] {
      for (const auto &[name, value] : kernel.attributes)
        out.attribute(utf8(name), utf8(value));
    });
    writeList(out, "parameters", kernel.parameters);
  });
}

static void writeDocument(raw_ostream &file, const std::vector<KernelFact> &kernels) {
  json::OStream out(file);
  out.object([&] {
    out.attribute("version", 1);
    writeList(out, "kernels", kernels);
  });
  file << '\n';
}

Error writeFacts(StringRef path, const std::vector<KernelFact> &kernels) {
  std::error_code failure;
  raw_fd_ostream file(path, failure);
  if (!failure) {
    writeDocument(file, kernels);
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
