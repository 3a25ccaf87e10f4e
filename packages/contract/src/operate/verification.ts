import { VERIFIED } from '@tallyroom/domain/verification'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { doneSchema } from '../list.ts'

/** How many findings of a verification are kept. */
export const FINDINGS_KEPT = 100

const verificationSchema = z.object({
  what: z.enum(VERIFIED),
  /** Somebody has asked for it, and it has not started since. */
  isAsked: z.boolean(),
  isRunning: z.boolean(),
  /** Of the last one that ended; null if none has. */
  last: z
    .object({
      endedAt: z.iso.datetime(),
      tookMs: z.int(),
      /** What was verified, in a sentence. */
      told: z.string(),
      /** The first findings, at most 100, in sentences. */
      findings: z.array(z.string()),
      found: z.int(),
      /** Where its chain ended: number and hash. Null for the totals, which have none. */
      head: z.string().nullable(),
    })
    .nullable(),
})
export type Verification = z.infer<typeof verificationSchema>

/** Whether pay, the common logs and the totals are as Tallyroom wrote them. */
export const verificationEndpoints = {
  verifications: endpoint({
    method: 'GET',
    path: '/api/verifications',
    summary: 'Show what the last verification of pay, the common logs and the totals found',
    ability: 'verification.see',
    action: 'none',
    response: z.object({ items: z.array(verificationSchema) }),
  }),
  verifyNow: endpoint({
    method: 'POST',
    path: '/api/verifications/:what',
    summary: 'Verify now what is verified every night. It starts within a minute',
    ability: 'verification.see',
    action: 'UPDATE',
    params: z.object({ what: z.enum(VERIFIED) }),
    response: doneSchema,
  }),
}
