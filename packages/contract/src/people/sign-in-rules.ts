import type { SignInRules } from '@tallyroom/domain/sign-in-rules'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { changesOf } from '../forms.ts'
import { doneSchema, versionSchema } from '../list.ts'
import { daySchema } from '../periods.ts'

/** A day in New York from which on a second factor is required; null: it is not. */
const from = daySchema.nullable()

const rulesFields = {
  superadmins: from,
  admins: from,
  payers: from,
  offices: from,
  agents: from,
  /** From which day on nobody approves, takes a file for the bank or lets an admin manage pay without a second factor. */
  secondActs: from,
} satisfies Record<keyof SignInRules, typeof from>

export const signInRulesEndpoints = {
  signInRules: endpoint({
    method: 'GET',
    path: '/api/sign-in-rules',
    summary:
      'Get of whom a second factor is required, and for approving, files for the bank and who may pay, and from which day on',
    ability: 'sign-in.manage',
    action: 'VIEW',
    response: z.object({ ...rulesFields, version: z.int() }),
  }),
  saveSignInRules: endpoint({
    method: 'POST',
    path: '/api/sign-in-rules',
    summary:
      'Set of whom a second factor is required, and for approving, files for the bank and who may pay, and from which day on. Omitted fields stay unchanged. A day that changes is today or later. A later `secondActs`, or none, takes the second factor that the caller has.',
    ability: 'sign-in.manage',
    proof: 'recent',
    action: 'UPDATE',
    refuses: [429],
    body: z.strictObject({ ...changesOf(rulesFields), version: versionSchema }),
    response: doneSchema,
  }),
}
