import { factorEventWords, FACTOR_EVENTS } from '@tallyroom/domain/factors'
import { beforeEach, expect, test } from 'vitest'
import { buildAccount } from '../../../test/build-world.ts'
import { emptyTables, testDatabase } from '../../../test/database.ts'
import { sentMails } from '../../../test/sent-mails.ts'
import { testServices } from '../../../test/services.ts'
import { inTransaction } from '../../db/transaction.ts'
import { tellOfFactor, tellPayersOfReset } from './tell-of-factor.ts'

const database = await testDatabase()
const { db, connection } = database
const services = testServices(database)
const { publicUrl } = services.config

const accountId = await buildAccount(db, { username: 'root', email: 'root@example.com' })

beforeEach(() => emptyTables(connection, ['mails', 'facts']))

const textsOf = async () =>
  (await sentMails(services)).map(({ to, subject, text }) => ({ to, subject, text }))

test.each(FACTOR_EVENTS)('“%s” says what to do if it was not its reader', async (happened) => {
  await inTransaction(db, (tx) => tellOfFactor(tx, services, { accountId, happened }))
  const told = factorEventWords[happened]
  expect(await textsOf()).toEqual([
    {
      to: 'root@example.com',
      subject: `Tallyroom: ${told[0]!.toLowerCase()}${told.slice(1)}`,
      text: `${told}: root.

If you did this or asked for it, there is nothing to do.

If not, tell the people who run Tallyroom at once, and set a new password here: ${publicUrl}/forgot

Tallyroom
`,
    },
  ])
})

test.each([
  [
    'operator factor',
    'the second factor of bea was removed',
    'The operator removed the second factor of bea on the command line.',
    'Ask its holder whether they wanted it.',
  ],
  [
    'recovered factor',
    'the second factor of bea was changed with a recovery code',
    'Somebody with a recovery code of bea added or removed a second factor of this account, or made new recovery codes.',
    'Unless it is yours, ask its holder whether it was them.',
  ],
] as const)('“%s” says whom to ask', async (kind, subject, told, ask) => {
  await inTransaction(db, (tx) => tellPayersOfReset(tx, services, { username: 'bea', kind }))
  const text = `${told}\n\nFor 7 days, this account approves nothing. ${ask}\n\nTallyroom\n`
  expect(await textsOf()).toEqual([
    { to: 'root@example.com', subject: `Tallyroom: ${subject}`, text },
  ])
})
