import { can } from '@tallyroom/domain/abilities'
import { FACTOR_RESET_DAYS } from '@tallyroom/domain/acts'
import { readSession } from '../session.ts'

/** What a recovery code costs whoever may pay, where one stands in for the second factor; undefined for others. */
export function afterRecoveryCode(): string | undefined {
  const me = readSession()?.me
  return me && can(me, 'pay.manage')
    ? `For ${FACTOR_RESET_DAYS} days after a recovery code, your account approves nothing about money, downloads no file for the bank and lets nobody manage pay. Everybody who may pay is told.`
    : undefined
}
