import type { Page } from '@playwright/test'
import { brokenWords } from './support/broken-words.ts'
import { states } from './support/states.ts'
import { expect, test } from './support/test.ts'
import { violationsOf } from './support/violations.ts'

/** The popups that accessibility.spec.ts does not open. */
for (const [name, state] of Object.entries(states)) {
  const { path, open, opener, shows, onPhone, account = 'superadmin', expectedConsole = [] } = state
  const isDialog = shows.startsWith('[role="dialog"]')
  test.describe(name, () => {
    test.use({ account, expectedConsole })

    test('no accessibility violations in light or dark, no broken words; a dialog fits a phone and 200 %, and gives the focus back', async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
      await page.goto(path)
      await page.getByRole('banner').getByRole('time').waitFor()
      await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
      await open(page)
      await page.locator(shows).first().waitFor()
      expect(await violationsOf(page), 'light').toEqual([])
      if (isDialog && opener) {
        await expect(page.getByRole('dialog').last().locator(':focus')).toHaveCount(1)
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
        await expect(opener(page)).toBeFocused()
        await page.keyboard.press('Enter')
        await page.locator(shows).first().waitFor()
      }
      // As narrow as a phone, a dialog keeps its texts and wraps them anew.
      for (const width of onPhone ? [1440, 390, 360] : [1440]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await brokenWords(page), `broken words, ${width} wide`).toEqual([])
        if (isDialog && onPhone) await isWithinReach(page, `${width} wide`)
      }
      if (isDialog && onPhone) {
        // 1280 × 800 at 200 %.
        await page.setViewportSize({ width: 640, height: 400 })
        await isWithinReach(page, '640 × 400')
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
      expect(await violationsOf(page, { coloursOnly: true }), 'dark').toEqual([])
    })
  })
}

/** Once what is asked again meanwhile is there: its parts may be replaced while they are looked at. */
const isWithinReach = (page: Page, when: string) =>
  expect(async () => expect(await outOfReach(page), when).toEqual([])).toPass({ timeout: 60_000 })

/** What of the newest dialog lies outside the window even after scrolling to it. */
async function outOfReach(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog').last()
  const found: string[] = []
  for (const part of [
    dialog,
    ...(await dialog.locator('button, input, textarea, select, p').all()),
  ]) {
    if (!(await part.isVisible())) continue
    if (part !== dialog) await part.scrollIntoViewIfNeeded()
    const outside = await part.evaluate((element) => {
      const { left, right, top, bottom, height } = element.getBoundingClientRect()
      const isHigh = height > innerHeight
      const isWithin =
        left >= -2 &&
        right <= innerWidth + 2 &&
        (isHigh || (top >= -2 && bottom <= innerHeight + 2))
      return isWithin ? null : `${element.tagName} ${element.textContent?.slice(0, 30)}`
    })
    if (outside !== null) found.push(outside)
  }
  return found
}
