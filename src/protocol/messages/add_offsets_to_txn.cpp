#include "protocol/messages/add_offsets_to_txn.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::add_offsets_to_txn_request>;
template struct message_codec<messages::add_offsets_to_txn_response>;

}  // namespace strandline::protocol
