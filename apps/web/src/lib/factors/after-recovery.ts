import { can } from '@tallyroom/domain/abilities'
import { FACTOR_RESET_DAYS } from '@tallyroom/domain/acts'
import { readSession } from '../session.ts'

/** What a recovery code costs whoever may pay, where one stands in for the second factor; undefined for others. */
export function afterRecoveryCode(): string | undefined {
  const me = readSession()?.me
  return me && can(me, 'pay.manage')
    ? `After a recovery code, your account approves nothing about money for ${FACTOR_RESET_DAYS} days, and everybody who may pay is told.`
    : undefined
}
