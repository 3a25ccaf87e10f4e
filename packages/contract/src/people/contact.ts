import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf } from '../forms.ts'
import { doneSchema, line, optionalEmailSchema, versionSchema } from '../list.ts'

/** Where to begin: whatever looks like a link has to be one that can be followed. */
const looksLikeLink = /^[a-z][a-z\d+.-]*:\/\//i

const contactFields = {
  name: line(80).trim(),
  /** An `https://` link, or a name or number and where it is: `@tallyroom on Telegram`. */
  chat: line(200)
    .trim()
    .refine((chat) => !looksLikeLink.test(chat) || isSecureLink(chat), 'must be an https:// link'),
  email: optionalEmailSchema,
}

/** Whether a contact's chat is a link, not a name or number. */
export const isSecureLink = (chat: string): boolean =>
  /^https:\/\//i.test(chat) && URL.canParse(chat) && !chat.includes(' ')

/** What the form has. */
export type ContactField = keyof typeof contactFields

/** Whom offices and agents ask: empty where nothing was entered. */
export const contactSchema = z.object({ name: z.string(), chat: z.string(), email: z.string() })
export type Contact = z.infer<typeof contactSchema>

export const contactEndpoints = {
  contact: endpoint({
    method: 'GET',
    path: '/api/contact',
    summary: 'Get whom offices and agents are told to ask',
    ability: 'contact.manage',
    action: 'VIEW',
    response: contactSchema.extend({ version: z.int() }),
  }),
  saveContact: endpoint({
    method: 'POST',
    path: '/api/contact',
    summary: 'Change whom offices and agents are told to ask. Omitted fields stay unchanged.',
    ability: 'contact.manage',
    action: 'UPDATE',
    body: z.strictObject({ ...changesOf(contactFields), version: versionSchema }),
    response: doneSchema,
  }),
}
