import type { Config } from '../config.ts'
import { type Connection, withoutPassword } from '../db/connection.ts'
import { outboxOf } from '../lib/mailer.ts'
import type { Prepared } from './prepare.ts'

const demoSignIns = [
  ['superadmin', 'sees and does everything'],
  ['admin', 'an admin with every flag'],
  ['admin2', 'an admin without flags'],
  ['manila', 'an office'],
  ['maria', 'an agent of that office'],
] as const

/** Tells the operator at the terminal where to go and how to sign in. */
export function announceReady(config: Config, connection: Connection, prepared: Prepared): void {
  const lines = ['', `  Tallyroom is ready at ${config.publicUrl}`, '']
  lines.push(
    connection.kind === 'embedded'
      ? `  Database    embedded ${prepared.engine.version}, in ${config.dataDir}`
      : `  Database    ${prepared.engine.version}, ${withoutPassword(connection)}`,
  )
  lines.push(
    config.smtpUrl === undefined
      ? `  Mail        to the outbox ${outboxOf(config.dataDir)}`
      : `  Mail        through ${new URL(config.smtpUrl).host}`,
  )
  if (prepared.demo) {
    lines.push('', '  Demo sign-ins, all with password demo-2026:')
    for (const [name, what] of demoSignIns) lines.push(`    ${name.padEnd(12)}${what}`)
  }
  if (prepared.firstSuperadmin) {
    const { username, password } = prepared.firstSuperadmin
    lines.push(
      '',
      '  The first account was created. Its password is shown only once:',
      `    username    ${username}`,
      `    password    ${password}`,
    )
  }
  if (config.captcha === 'off') {
    lines.push(
      '',
      '  WARNING: CAPTCHA=off. Sign-in requires no captcha. Use this for automation only.',
    )
  }
  console.log(`${lines.join('\n')}\n`)
}
