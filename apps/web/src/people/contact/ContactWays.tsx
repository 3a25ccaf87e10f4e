import { Anchor, Text } from '@mantine/core'
import { type Contact, isSecureLink } from '@tallyroom/contract/people/contact'

/** How to reach the network's contact: a chat and an address, each on its own line. */
export const ContactWays = ({ contact: { name, chat, email } }: { contact: Contact }) => (
  <address style={{ fontStyle: 'normal', overflowWrap: 'anywhere' }}>
    {name && <Text fw={600}>{name}</Text>}
    {chat && (
      <div>
        {isSecureLink(chat) ? (
          <Anchor href={chat} target="_blank" rel="noreferrer">
            {chat.replace(/^https:\/\//i, '')}
          </Anchor>
        ) : (
          chat
        )}
      </div>
    )}
    {email && (
      <div>
        <Anchor href={`mailto:${email}`}>{email}</Anchor>
      </div>
    )}
  </address>
)
