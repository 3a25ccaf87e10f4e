import { accountsEndpoints } from '@tallyroom/contract/accounts'
import { authEndpoints, type loginSchema } from '@tallyroom/contract/auth'
import type { z } from 'zod'
import { call } from '../../lib/call.ts'
import { openSession } from '../../lib/session.ts'

/** Signs in and keeps the session. @throws ApiError as `auth/login` answers */
export async function signIn(credentials: z.input<typeof loginSchema>) {
  const { token } = await call(authEndpoints.login, { body: credentials })
  const me = await call(accountsEndpoints.me, {}, { token })
  openSession({ token, me })
}
