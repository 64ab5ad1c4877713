#include "protocol/messages/txn_offset_commit.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::txn_offset_commit_request>;
template struct message_codec<messages::txn_offset_commit_response>;

}  // namespace strandline::protocol
