import { WEBHOOK_KINDS } from '@tallyroom/domain/webhooks'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { idSchema } from '../list.ts'

/** What is sent later: mails, and deliveries to programs. */
const QUEUES = ['mails', 'deliveries'] as const
export type Queue = (typeof QUEUES)[number]

const stateSchema = z.object({
  queue: z.enum(QUEUES),
  waiting: z.int(),
  /** Since when the oldest of these waits. */
  waitingSince: z.iso.datetime().nullable(),
  failed: z.int(),
  /** Waited when the backup was made that this database was restored from: perhaps sent since, perhaps not. */
  held: z.int(),
})
export type QueueState = z.infer<typeof stateSchema>

const troubleSchema = z.object({
  queue: z.enum(QUEUES),
  id: idSchema,
  /** A mail's address, or a target's host. */
  to: z.string(),
  /** A mail's subject. Null for a delivery. */
  subject: z.string().nullable(),
  /** What a delivery tells of. Null for a mail. */
  kind: z.enum(WEBHOOK_KINDS).nullable(),
  /** Of a delivery: where its log is. */
  target: z.object({ id: idSchema, format: z.enum(['postback', 'webhook']) }).nullable(),
  state: z.enum(['waiting', 'failed', 'held']),
  tries: z.int(),
  /** Why the last try failed. */
  reason: z.string().nullable(),
  triedAt: z.iso.datetime().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  /** Not if it is of no more use, or its target is off. */
  mayTry: z.boolean(),
})
export type QueueTrouble = z.infer<typeof troubleSchema>

const countSchema = z.object({ count: z.int() })

/** One of a queue, or all of them. */
const which = { queue: z.enum(QUEUES), id: idSchema.optional() }

/** Mails and deliveries that wait, and what went wrong. */
export const queueEndpoints = {
  queue: endpoint({
    method: 'GET',
    path: '/api/queue',
    summary: 'Show how many mails and deliveries wait or have failed, and the last of those',
    ability: 'queue.manage',
    action: 'none',
    response: z.object({
      queues: z.array(stateSchema),
      /** The last tries that failed, and what is held; at most 100 of each queue. */
      troubles: z.array(troubleSchema),
    }),
  }),
  tryQueueAgain: endpoint({
    method: 'POST',
    path: '/api/queue/again',
    summary:
      'Send now what failed: one, or all of a queue. What has expired, or goes to a target that is off, stays as it is.',
    ability: 'queue.manage',
    action: 'UPDATE',
    refuses: [409],
    body: z.strictObject(which),
    response: countSchema,
  }),
  decideHeld: endpoint({
    method: 'POST',
    path: '/api/queue/held',
    summary: 'Send or drop what a restore held back: one, or all of a queue',
    ability: 'queue.manage',
    action: 'UPDATE',
    refuses: [409],
    body: z.strictObject({ ...which, decision: z.enum(['send', 'drop']) }),
    response: countSchema,
  }),
}
