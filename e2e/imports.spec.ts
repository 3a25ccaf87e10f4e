import { mailsTo } from './support/outbox.ts'
import { test } from './support/people.ts'
import { expect } from './support/test.ts'

test('an office imports agents from a file: it sees what becomes of each line, and hands over a link', async ({
  people,
}) => {
  const office = await people.seat('manila', '/app/agents')
  await office.getByRole('link', { name: 'Import' }).click()
  await office.locator('input[type=file]').setInputFiles({
    name: 'agents.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      [
        'Username;First name;Last name;Email;Must Read',
        'isko;Isko;Pe\u00f1a;isko@agents.example;Smile.',
        'imelda;Imelda;Cruz;;',
        'maria;Maria;Santos;;',
        'irma;Irma;;;',
      ].join('\r\n'),
      'latin1',
    ),
  })
  await expect(office.getByRole('status')).toHaveText(
    '2 agents are new. 1 exists already, and is skipped. 1 line is faulty, and is left out. Read as Windows-1252, separated by semicolons. Look whether letters with accents are right.',
  )
  const lines = office.getByRole('table', { name: 'Lines' })
  const lineOf = (username: string) => lines.getByRole('row').filter({ hasText: username })
  await expect(lineOf('isko')).toContainText('Isko Peña')
  await expect(lineOf('isko')).toContainText('New. Invited by mail')
  await expect(lineOf('imelda')).toContainText('New. You hand over a link')
  await expect(lineOf('maria')).toContainText('Skipped: exists already, in Manila')
  await expect(lineOf('irma')).toContainText('Left out: has no last name')

  await office.getByRole('button', { name: 'Import 2 agents' }).click()
  await expect(office.getByText('2 agents added')).toBeVisible()
  await expect.poll(() => mailsTo('isko@agents.example')).toHaveLength(1)
  await office.getByRole('button', { name: 'Copy invitation link' }).click()
  const dialog = office.getByRole('dialog', { name: 'Invitation of imelda' })
  await expect(dialog.locator('code')).toHaveText(/\/invitation#[\w-]{32}$/)
})
