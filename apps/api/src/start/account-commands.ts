import { FACTOR_RESET_DAYS } from '@tallyroom/domain/acts'
import { parseConfig } from '../config.ts'
import {
  allowPasswords,
  disconnectProvider,
  resetFactor,
  resetPassword,
  setPay,
  setSpecialPermission,
  SPECIAL_PERMISSIONS,
  unlockAccount,
} from '../people/index.ts'
import { systemClock } from '../lib/clock.ts'
import { provideSecrets } from '../lib/secrets.ts'
import type { Command, Owned } from './command.ts'

/** Commands about who may sign in and what they may delete. */
export const accountCommands: Record<string, Command> = {
  'accounts grant': {
    says: 'grants a superadmin DELETE_AGENTS or DELETE_SITES, or an admin PAY',
    takes: 'USERNAME PERMISSION',
    run: (database, username = '', permission = '') =>
      setPermission(database, { username, permission, granted: true }),
  },
  'accounts revoke': {
    says: 'revokes it',
    takes: 'USERNAME PERMISSION',
    run: (database, username = '', permission = '') =>
      setPermission(database, { username, permission, granted: false }),
  },
  'accounts reset-password': {
    says: 'sets and prints a one-time password for an account, ends its sessions and mails its holder',
    takes: 'USERNAME',
    run: printNewPassword,
  },
  'accounts reset-factor': {
    says: 'removes the second factor of an account, ends its sessions, and tells its holder and who may pay',
    takes: 'USERNAME',
    run: removeFactor,
  },
  'accounts disconnect-provider': {
    says: 'disconnects an account from the sign-in provider and tells its holder',
    takes: 'USERNAME',
    run: disconnect,
  },
  'accounts allow-passwords': {
    says: 'lets staff sign in by password again, and not only through the sign-in provider',
    run: letPasswords,
  },
  'accounts unlock': {
    says: 'resets the failed sign-ins of an account and ends its waits',
    takes: 'USERNAME',
    run: unlock,
  },
}

async function setPermission(
  { db }: Owned,
  { username, permission, granted }: { username: string; permission: string; granted: boolean },
): Promise<number> {
  const known = [...SPECIAL_PERMISSIONS, 'PAY' as const].find((name) => name === permission)
  if (!known) {
    console.error(`${permission} is not one of ${SPECIAL_PERMISSIONS.join(', ')}, PAY`)
    return 64
  }
  const name =
    known === 'PAY'
      ? await setPay({ db, config: parseConfig(process.env) }, username, granted)
      : await setSpecialPermission(db, { username, permission: known }, granted)
  console.log(`${name} ${granted ? 'holds' : 'does not hold'} ${known} as of the next request.`)
  return 0
}

async function printNewPassword({ db }: Owned, wanted: string): Promise<number> {
  const config = parseConfig(process.env)
  const secrets = await provideSecrets(config.secretKeyFile)
  const services = { config, db, clock: systemClock, ...secrets }
  const { username, password, told } = await resetPassword(services, wanted)
  console.log(
    `${username} can sign in with ${password}, which is shown only once and must be changed on sign-in.`,
  )
  console.log(told ? `The app mails ${told}: the password was changed.` : 'No address to notify.')
  return 0
}

async function removeFactor({ db }: Owned, wanted: string): Promise<number> {
  const config = parseConfig(process.env)
  const { secret } = await provideSecrets(config.secretKeyFile)
  const { username, told } = await resetFactor({ config, db, secret }, wanted)
  console.log(
    `${username} signs in with the password alone. All sessions of the account are ended.`,
  )
  console.log(`For ${FACTOR_RESET_DAYS} days, it approves nothing about money.`)
  console.log(told ? `The app mails ${told}.` : 'No address to notify.')
  return 0
}

async function disconnect({ db }: Owned, wanted: string): Promise<number> {
  const config = parseConfig(process.env)
  const { secret } = await provideSecrets(config.secretKeyFile)
  const username = await disconnectProvider({ config, db, secret }, wanted)
  console.log(`${username} is not connected to the sign-in provider any more.`)
  return 0
}

async function letPasswords({ db }: Owned): Promise<number> {
  await allowPasswords(db)
  console.log('Staff can sign in by password as of the next attempt.')
  return 0
}

async function unlock({ db }: Owned, wanted: string): Promise<number> {
  const { secret } = await provideSecrets(parseConfig(process.env).secretKeyFile)
  const username = await unlockAccount({ db, secret }, wanted)
  console.log(`${username} can sign in without waiting.`)
  return 0
}
