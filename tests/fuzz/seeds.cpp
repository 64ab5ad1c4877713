// Writes a first corpus for each fuzz target of the record format below the directory it is given.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "records/batch_builder.hpp"
#include "records/batch_layout.hpp"
#include "records/compression/compressor.hpp"

using namespace strandline;
using records::compression_codec;

namespace {

void write(const std::filesystem::path& directory, const std::string& name, base::bytes_view bytes) {
    std::filesystem::create_directories(directory);
    std::ofstream(directory / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

base::shared_bytes batch(std::int8_t magic, compression_codec codec, bool control) {
    const records::record_header headers[] = {{"trace", base::as_bytes("1")}, {"none", std::nullopt}};
    records::batch_builder builder({.magic = magic, .codec = codec, .producer_id = 1, .transactional = true});
    builder.append(
        {.timestamp = 1000, .key = base::as_bytes("key"), .value = base::as_bytes("value"), .headers = headers});
    builder.append({.timestamp = 1001, .key = base::as_bytes("")});
    builder.append_at(7, {.timestamp = 999, .value = base::as_bytes(std::string(200, 'x'))});
    return control ? records::make_transaction_marker(records::control_record_type::abort, 8, 1, 0) : builder.build();
}

std::string joined(base::bytes_view first, base::bytes_view second) {
    return std::string(base::as_text(first)) + std::string(base::as_text(second));
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: fuzz_seeds DIRECTORY\n", stderr);
        return 2;
    }
    const std::filesystem::path root = arguments[1];
    const auto marker = batch(2, compression_codec::none, true);
    for (std::int8_t magic = 0; magic <= 2; ++magic) {
        for (std::uint8_t number = 0; number < (magic < 2 ? 4 : 5); ++number) {
            const auto codec = static_cast<compression_codec>(number);
            const auto name = std::to_string(magic) + '_' + std::string(to_string(codec));
            write(root / "batch_scanner_fuzz", name, base::as_bytes(joined(batch(magic, codec, false), marker)));
        }
    }
    write(root / "record_reader_fuzz", "three_records",
          batch(2, compression_codec::none, false).slice(records::batch_layout::records));
    for (const auto codec :
         {compression_codec::gzip, compression_codec::snappy, compression_codec::lz4, compression_codec::zstd}) {
        const auto directory = root / (std::string(to_string(codec)) + "_fuzz");
        for (const std::size_t size : {0U, 5U, 300U, 70'000U}) {
            const auto compressed = records::compression::compress(codec, base::as_bytes(std::string(size, 'x')), 2);
            const std::byte magic[] = {std::byte{2}};
            write(directory, std::to_string(size), base::as_bytes(joined(magic, compressed)));
            write(directory, std::to_string(size) + "_twice",
                  base::as_bytes(joined(magic, base::as_bytes(joined(compressed, compressed)))));
        }
    }
    return 0;
}
