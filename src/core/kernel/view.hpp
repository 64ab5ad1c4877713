// State that one manager owns and others read. Who reads a view while planning must await it, or a wake-up edge is
// missing.
#pragma once

#include <cstdint>
#include <utility>

#include "core/kernel/await_set.hpp"

namespace strandline::core::kernel {

// What happened to views since it was last asked: which were read, which changed.
class view_log {
public:
    void note_read(view_index index) noexcept { read_ |= bit(index); }
    void note_change(view_index index) noexcept { changed_ |= bit(index); }
    std::uint32_t take_read() noexcept { return std::exchange(read_, 0); }
    std::uint32_t take_changed() noexcept { return std::exchange(changed_, 0); }

private:
    static std::uint32_t bit(view_index index) noexcept { return std::uint32_t{1} << index; }
    std::uint32_t read_ = 0;
    std::uint32_t changed_ = 0;
};

// The owner's side: a value with a version. The log must outlive it.
template <class T>
class versioned {
public:
    versioned(view_index index, view_log& log, T initial = {})
        : index_(index), log_(&log), value_(std::move(initial)) {}
    versioned(const versioned&) = delete;
    versioned& operator=(const versioned&) = delete;

    // The owner reads its own state freely.
    const T& get() const noexcept { return value_; }
    // For writing: whoever awaits this view is asked again in this turn.
    T& change() noexcept {
        ++version_;
        log_->note_change(index_);
        return value_;
    }
    std::uint64_t version() const noexcept { return version_; }
    view_index index() const noexcept { return index_; }
    view_log& log() const noexcept { return *log_; }

private:
    view_index index_;
    view_log* log_;
    T value_;
    std::uint64_t version_ = 1;
};

// The reader's side. Cheap to copy; the owner must outlive it.
template <class T>
class view {
public:
    view(const versioned<T>& source) noexcept : source_(&source) {}

    const T& read() const noexcept {
        source_->log().note_read(source_->index());
        return source_->get();
    }
    const T* operator->() const noexcept { return &read(); }
    std::uint64_t version() const noexcept { return source_->version(); }
    awaited change() const noexcept { return awaited::view(source_->index()); }

private:
    const versioned<T>* source_;
};

}  // namespace strandline::core::kernel
