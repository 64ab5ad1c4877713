// State that one manager owns and others read. Who reads a view while planning must await it, or a wake-up edge is
// missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/kernel/await_set.hpp"

namespace strandline::core::kernel {

// What happened to views since it was last asked: which were read, which changed. It also knows who is at work, so that
// it notices a view that changes while anybody but its owner is.
class view_log {
public:
    // A view without a declared owner may change at any time.
    void declare_owner(view_index index, manager_index owner) {
        if (owners_.size() <= index) owners_.resize(index + std::size_t{1});
        owners_[index] = owner;
    }
    void enter(manager_index manager) noexcept { at_work_ = manager; }
    void leave() noexcept { at_work_.reset(); }
    std::optional<manager_index> at_work() const noexcept { return at_work_; }
    // Zero, or a fault.
    std::uint64_t foreign_writes() const noexcept { return foreign_writes_; }
    // The newest of them in words.
    std::string newest_foreign_write() const;

    void note_read(view_index index) noexcept { read_ |= bit(index); }
    void note_change(view_index index) noexcept {
        changed_ |= bit(index);
        if (index < owners_.size() && owners_[index] && owners_[index] != at_work_) note_foreign_write(index);
    }
    std::uint32_t take_read() noexcept { return std::exchange(read_, 0); }
    std::uint32_t take_changed() noexcept { return std::exchange(changed_, 0); }

private:
    static std::uint32_t bit(view_index index) noexcept { return std::uint32_t{1} << index; }
    void note_foreign_write(view_index index) noexcept {
        ++foreign_writes_;
        newest_foreign_write_ = {index, at_work_};
    }

    std::uint32_t read_ = 0;
    std::uint32_t changed_ = 0;
    std::vector<std::optional<manager_index>> owners_;
    std::optional<manager_index> at_work_;
    std::uint64_t foreign_writes_ = 0;
    std::pair<view_index, std::optional<manager_index>> newest_foreign_write_;
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
