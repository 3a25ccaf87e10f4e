import { MAIL_CHOICES, TOPICS } from '@tallyroom/domain/facts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema } from '../list.ts'

const choicesSchema = z.partialRecord(z.enum(TOPICS), z.enum(MAIL_CHOICES))

const token = z.string().describe('What was signed for an account and a topic.')
const page = (means: string) => ({ means, body: { 'text/html': z.string() } })
const unreadable = { means: 'The address cannot be read.' }

/** What the caller hears of by mail. Mails about password, address and payment account can't be switched off. */
export const notificationsEndpoints = {
  notifications: endpoint({
    method: 'GET',
    path: '/api/notifications',
    summary: 'Get what you hear of by mail',
    ability: 'profile.edit',
    action: 'VIEW',
    response: z.object({
      /** Null: without an address there are no mails. */
      email: z.string().nullable(),
      /** Each topic that the account can choose. */
      choices: choicesSchema,
    }),
  }),
  chooseNotifications: endpoint({
    method: 'POST',
    path: '/api/notifications',
    summary: 'Choose whether and when you hear of a topic by mail',
    ability: 'profile.edit',
    action: 'UPDATE',
    proof: 'own-session',
    body: z.strictObject({ topic: z.enum(TOPICS), choice: z.enum(MAIL_CHOICES) }),
    response: doneSchema,
  }),
  unsubscribePage: endpoint({
    method: 'GET',
    path: '/api/unsubscribe/:token',
    summary: 'Show what a mail’s link to unsubscribe ends. Nothing is changed.',
    ability: 'public',
    action: 'none',
    params: z.object({ token }),
    response: z.string(),
    described: {
      answers: {
        200: page('A page with a button.'),
        400: unreadable,
        404: page('The link is not ours.'),
      },
    },
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/api/unsubscribe/:token',
    summary:
      'End the mails about a topic with the link of one of them, without signing in (RFC 8058)',
    ability: 'public',
    action: 'none',
    params: z.object({ token }),
    response: z.string(),
    described: {
      answers: {
        200: page('They have ended.'),
        400: unreadable,
        404: page('The link is not ours.'),
      },
    },
  }),
}
