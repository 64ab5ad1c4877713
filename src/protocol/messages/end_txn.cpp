#include "protocol/messages/end_txn.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::end_txn_request>;
template struct message_codec<messages::end_txn_response>;

}  // namespace strandline::protocol
