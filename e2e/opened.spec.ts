import { brokenWords } from './support/broken-words.ts'
import { states } from './support/states.ts'
import { expect, test } from './support/test.ts'
import { violationsOf } from './support/violations.ts'

/** The popups that accessibility.spec.ts does not open. */
for (const [name, state] of Object.entries(states)) {
  const { path, open, shows, onPhone, account = 'superadmin', expectedConsole = [] } = state
  test.describe(name, () => {
    test.use({ account, expectedConsole })

    test('no accessibility violations in light or dark, no broken words', async ({ page }) => {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.goto(path)
      await page.getByRole('banner').getByRole('time').waitFor()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await open(page)
      await page.locator(shows).first().waitFor()
      expect(await violationsOf(page), 'light').toEqual([])
      // As narrow as a phone, a dialog keeps its texts and wraps them anew.
      for (const width of onPhone ? [1440, 390, 360] : [1440]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await brokenWords(page), `broken words, ${width} wide`).toEqual([])
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      expect(await violationsOf(page, { coloursOnly: true }), 'dark').toEqual([])
    })
  })
}
