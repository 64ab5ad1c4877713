#include "protocol/messages/delete_records.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::delete_records_request>;
template struct message_codec<messages::delete_records_response>;

}  // namespace strandline::protocol
