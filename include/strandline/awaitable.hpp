// What the calls of a coroutine_consumer return: to be awaited, in any type of coroutine.
#pragma once

#include <coroutine>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <strandline/close.hpp>
#include <strandline/error.hpp>
#include <strandline/export.hpp>
#include <strandline/offsets.hpp>
#include <strandline/records.hpp>
#include <strandline/topic_partition.hpp>

namespace strandline {
namespace client {
template <class Value>
class awaited_value;
}

inline namespace v0 {

// A call that begins when it is awaited, once. Its time runs from when it was made. The scheduler resumes the
// coroutine, never the call itself, so a loop that never waits still lets others run. Destroying it, or the coroutine
// that is suspended in it, gives the call up: it has no effect on the consumer's state but that of a time-out, and a
// poll loses nothing.
template <class Value>
class STRANDLINE_API basic_awaitable {
public:
    // For the library.
    explicit basic_awaitable(std::shared_ptr<client::awaited_value<Value>> call) noexcept;
    basic_awaitable(basic_awaitable&& other) noexcept;
    basic_awaitable& operator=(basic_awaitable&& other) = delete;
    ~basic_awaitable();

    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<> whom);

protected:
    result<Value> take_result();

private:
    std::shared_ptr<client::awaited_value<Value>> call_;
};

// Throws strandline::exception where the call fails.
template <class Value>
class [[nodiscard]] awaitable : public basic_awaitable<Value> {
public:
    using basic_awaitable<Value>::basic_awaitable;
    Value await_resume() {
        auto outcome = this->take_result();
        if (!outcome) throw exception(std::move(outcome.error()));
        if constexpr (!std::is_void_v<Value>) return std::move(*outcome);
    }
};

// Returns the error instead.
template <class Value>
class [[nodiscard]] awaitable_result : public basic_awaitable<Value> {
public:
    using basic_awaitable<Value>::basic_awaitable;
    result<Value> await_resume() { return this->take_result(); }
};

extern template class basic_awaitable<void>;
extern template class basic_awaitable<polled_records>;
extern template class basic_awaitable<close_report>;
extern template class basic_awaitable<offsets>;
extern template class basic_awaitable<std::int64_t>;
extern template class basic_awaitable<std::map<topic_partition, std::optional<offset_and_timestamp>>>;
extern template class basic_awaitable<std::map<topic_partition, std::int64_t>>;
extern template class basic_awaitable<std::vector<partition_info>>;
extern template class basic_awaitable<std::map<std::string, std::vector<partition_info>>>;

}  // namespace v0
}  // namespace strandline
