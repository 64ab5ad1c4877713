// Writes a first corpus for each fuzz target below the directory it is given.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/codec.hpp"
#include "records/batch_builder.hpp"
#include "records/batch_layout.hpp"
#include "records/compression/compressor.hpp"
#include "tests/conformance/random_message.hpp"
#include "tests/fuzz/decoder_choices.hpp"

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

void write_records(const std::filesystem::path& root) {
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
}

void write_compressed(const std::filesystem::path& root) {
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
}

// Of each message one value in each version, every field set.
bool write_messages(const std::filesystem::path& root) {
    base::seeded_random random(1);
    bool all_written = true;
    fuzz::for_each_message([&]<class Message>(std::uint8_t choice) {
        for (auto version = Message::min_version; version <= Message::max_version; ++version) {
            protocol::writer out;
            if (!protocol::encode(out, conformance::random_message<Message>(random, version), version)) {
                std::fprintf(stderr, "fuzz_seeds: a value of %s version %d cannot be written\n", Message::name.data(),
                             version);
                all_written = false;
                continue;
            }
            const std::byte choices[] = {std::byte{choice}, std::byte{fuzz::choice_of_version<Message>(version)}};
            write(root / "decode_fuzz", std::string(Message::name) + '_' + std::to_string(version),
                  base::as_bytes(joined(choices, std::move(out).take())));
        }
    });
    return all_written;
}

void write_frames(const std::filesystem::path& root) {
    using namespace std::string_view_literals;
    constexpr auto two_frames = "\0\0\0\5hello\0\0\0\1!"sv;
    constexpr auto empty_frame = "\0\0\0\0"sv;
    constexpr auto too_long = "\x7f\xff\xff\xff..."sv;
    constexpr auto negative = "\xff\xff\xff\xff..."sv;
    const std::byte bytes_at_a_time[] = {std::byte{2}};
    int number = 0;
    for (const auto stream : {two_frames, empty_frame, too_long, negative}) {
        write(root / "frame_fuzz", std::to_string(++number),
              base::as_bytes(joined(bytes_at_a_time, base::as_bytes(stream))));
    }
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("usage: fuzz_seeds DIRECTORY\n", stderr);
        return 2;
    }
    const std::filesystem::path root = arguments[1];
    write_records(root);
    write_compressed(root);
    write_frames(root);
    return write_messages(root) ? 0 : 1;
}
