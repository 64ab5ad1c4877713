#include "protocol/messages/metadata.hpp"

#include "protocol/message_codec.hpp"

namespace strandline::protocol {

template struct message_codec<messages::metadata_request>;
template struct message_codec<messages::metadata_response>;

}  // namespace strandline::protocol
