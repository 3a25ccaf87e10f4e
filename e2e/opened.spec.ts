import { states } from './support/states.ts'
import { expect, test } from './support/test.ts'
import { violationsOf } from './support/violations.ts'

/** The popups that accessibility.spec.ts does not open. */
test.use({ account: 'superadmin' })

for (const [name, { path, open, shows }] of Object.entries(states)) {
  test(`${name}: no accessibility violations in light or dark`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
    await page.goto(path)
    await page.getByRole('banner').getByRole('time').waitFor()
    await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
    await open(page)
    await page.locator(shows).first().waitFor()
    expect(await violationsOf(page), 'light').toEqual([])
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    expect(await violationsOf(page, { coloursOnly: true }), 'dark').toEqual([])
  })
}
