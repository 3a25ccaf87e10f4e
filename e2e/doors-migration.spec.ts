import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from './support/people.ts'
import { expect, nextCheck } from './support/test.ts'

const cli = join(import.meta.dirname, '../apps/api/src/cli.ts')

/** Runs the operator's command while the server is running. */
async function importFile(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'tallyroom-e2e-import-'))
  const file = join(folder, 'agents.csv')
  await writeFile(file, text)
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [cli, 'migration', 'import', file],
    {
      env: { ...process.env, DATA_DIR: process.env['E2E_DATA_DIR'] ?? '', DATABASE_URL: '' },
      encoding: 'utf8',
    },
  )
  await rm(folder, { recursive: true })
  return { status, said: stdout + stderr }
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

test.use({ account: 'superadmin' })

test('agents of an old server are imported, migrated, and sign in with their old password', async ({
  page,
  people,
  captchas,
}) => {
  await page.goto('/app/migration')
  const start = page.getByRole('button', { name: 'Migrate agents from old server' })
  await expect(page.getByText('0 agents are ready to migrate.')).toBeVisible()
  await expect(start).toBeDisabled()

  const { status, said } = await importFile(
    [
      'office,username,password_hash',
      `Olongapo,oldnina,${md5('as it was')}`,
      `Olongapo,maria,${md5('x')}`,
      'Olongapo,plain,secret',
    ].join('\n'),
  )
  expect(said).toMatch(/^line 4: password hash must be/)
  expect(said).toContain('Ready to migrate: 2. Skipped: 1.')
  expect(status).toBe(1)

  await page.reload()
  await expect(page.getByText('2 agents are ready to migrate.')).toBeVisible()
  await start.click()
  await expect(
    page.getByText(
      'Do you want to migrate old agents from old server, marked as "Ready To Migrate"?',
    ),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Migrate', exact: true }).click()
  await expect(page.getByText('Operation Complete')).toBeVisible()
  await expect(page.getByText('1 agent was not migrated.')).toBeVisible()
  await page.getByRole('button', { name: 'Enter' }).click()
  await expect(page).toHaveURL(/\/app\/agents$/)

  await page.goto('/app/migration')
  await expect(start).toBeDisabled()
  await expect(page.getByRole('row', { name: /maria.*username is already taken/ })).toBeVisible()

  const agent = await people.visitor()
  const check = nextCheck(agent)
  await agent.goto('/login')
  await captchas.decide(await check, 'HJKNP')
  await agent.getByLabel('Username').fill('oldnina')
  await agent.getByLabel(/^Password/).fill('as it was')
  await agent.getByLabel('Characters in the picture').fill('HJKNP')
  await agent.getByRole('button', { name: 'Login' }).click()
  await expect(agent.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
  await agent.goto('/app/stats/sites')
  await expect(agent.getByRole('heading', { name: 'Choose your own password' })).toBeVisible()
  await agent.getByLabel(/^Password/).fill('a better one')
  await agent.getByLabel(/^Confirm password/).fill('a better one')
  await agent.getByRole('button', { name: 'Set password' }).click()
  await expect(agent.getByText('User: oldnina')).toBeVisible()
  await agent.reload()
  await expect(agent.getByText('User: oldnina')).toBeVisible()
})
