#include "tests/interleavings/explorer/fiber.hpp"

#include <cstdint>
#include <system_error>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define STRANDLINE_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRANDLINE_ADDRESS_SANITIZER 1
#endif
#endif

#ifdef STRANDLINE_ADDRESS_SANITIZER
#include <sanitizer/common_interface_defs.h>
#endif

namespace strandline::interleavings {

namespace {

constexpr std::size_t stack_bytes = std::size_t{256} * 1024;

void start_switch([[maybe_unused]] void** fake, [[maybe_unused]] const void* bottom,
                  [[maybe_unused]] std::size_t size) {
#ifdef STRANDLINE_ADDRESS_SANITIZER
    __sanitizer_start_switch_fiber(fake, bottom, size);
#endif
}

void finish_switch([[maybe_unused]] void* fake, [[maybe_unused]] const void** bottom,
                   [[maybe_unused]] std::size_t* size) {
#ifdef STRANDLINE_ADDRESS_SANITIZER
    __sanitizer_finish_switch_fiber(fake, bottom, size);
#endif
}

}  // namespace

fiber::fiber() : stack_(new std::byte[stack_bytes]) {}

fiber::~fiber() = default;

void fiber::set_body(std::function<void()> body) {
    body_ = std::move(body);
    ended_ = false;
}

// makecontext passes ints only, so the pointer comes in two halves.
void fiber::enter(unsigned high, unsigned low) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): there is no other way through makecontext
    auto* const self = reinterpret_cast<fiber*>((std::uintptr_t{high} << 32U) | std::uintptr_t{low});
    self->run();
}

void fiber::run() {
    finish_switch(nullptr, &outside_bottom_, &outside_size_);
    for (;;) {
        body_();
        body_ = nullptr;
        ended_ = true;
        pause();
    }
}

// The first entry is by ucontext; from then on both sides jump, which spares the system calls for the signal mask.
void fiber::resume() {
    start_switch(&outside_fake_, stack_.get(), stack_bytes);
    if (_setjmp(outside_) == 0) {
        if (entered_) _longjmp(inside_, 1);
        entered_ = true;
        if (getcontext(&first_) != 0) throw std::system_error(errno, std::generic_category(), "getcontext");
        first_.uc_stack.ss_sp = stack_.get();
        first_.uc_stack.ss_size = stack_bytes;
        first_.uc_link = nullptr;
        const auto self = reinterpret_cast<std::uintptr_t>(this);
        makecontext(&first_, reinterpret_cast<void (*)()>(&fiber::enter), 2, static_cast<unsigned>(self >> 32U),
                    static_cast<unsigned>(self));
        setcontext(&first_);
    }
    finish_switch(outside_fake_, nullptr, nullptr);
}

void fiber::pause() {
    start_switch(&inside_fake_, outside_bottom_, outside_size_);
    if (_setjmp(inside_) == 0) _longjmp(outside_, 1);
    finish_switch(inside_fake_, &outside_bottom_, &outside_size_);
}

}  // namespace strandline::interleavings
