import { writeFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { test } from './support/people.ts'
import { expect } from './support/test.ts'
import { hostileTexts, wordDocument } from './support/texts.ts'

/** 60 by 40 pixels. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAADwAAAAoAQMAAACYdQu8AAAAA1BMVEUIdm56Bv5NAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADUlEQVQYlWNgGAX0AAABaAABBugHpAAAAABJRU5ErkJggg==',
  'base64',
)

test('a superadmin writes a manual with a table and a picture, and an agent reads it', async ({
  people,
}) => {
  const page = await people.seat('superadmin', '/app/site-manuals')
  await page.getByRole('button', { name: 'Remove Velvet Stage' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Are your sure to remove "Velvet Stage" manual?')
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('cell', { name: 'Velvet Stage' }).first()).toBeHidden()

  await page.getByRole('link', { name: '+Add Site Manual' }).click()
  await page.getByRole('combobox', { name: 'Site' }).click()
  await page.getByRole('option', { name: 'Velvet Stage' }).click()
  await expect(page.getByLabel('Display Title')).toHaveValue('Velvet Stage')
  await page.getByLabel('Display Title').fill('Velvet, step by step')

  const text = page.getByRole('textbox', { name: 'Text' })
  await text.click()
  await tool(page, 'Large heading').click()
  await page.keyboard.type('Before & after')
  await page.keyboard.press('Enter')
  await tool(page, 'Table').click()
  await page.getByRole('menuitem', { name: 'Insert table' }).click()
  await page.keyboard.type('Day')
  await page.keyboard.press('Tab')
  await tool(page, 'Table').click()
  await page.getByRole('menuitem', { name: 'Delete column' }).click()
  await page.keyboard.press('Control+End')
  await chooseFile(page, { name: 'photo.png', mimeType: 'image/png', buffer: picture })
  await expect(text.locator('img')).toBeVisible()
  const source = await sourceOf(page)
  await page.getByRole('button', { name: 'Add Site Manual' }).click()
  await expect(page.getByText('Successfully saved')).toBeVisible()
  await expect(page).toHaveURL(/\/app\/site-manuals$/)

  // Unchanged after sanitizing on the server and in the browser.
  await page.getByRole('link', { name: 'Edit Velvet Stage' }).click()
  await text.waitFor()
  expect(await sourceOf(page)).toBe(source)

  const reader = await people.seat('maria', '/app/how-to-sell')
  await expect(reader.getByRole('article')).toBeVisible()
  await expect(reader.locator('nav[aria-label="Manuals"] a').first()).toHaveAttribute(
    'aria-current',
    'page',
  )
  await reader.getByRole('link', { name: 'Velvet, step by step' }).click()
  await expect(reader).toHaveURL(/how-to-sell\?manual=\d+$/)
  await reader.reload()
  const manual = reader.getByRole('article', { name: 'Velvet, step by step' })
  await expect(manual.getByRole('heading', { name: 'Before & after' })).toBeVisible()
  await expect(manual.getByRole('columnheader', { name: 'Day' })).toBeVisible()
  await expect
    .poll(() => manual.locator('img').evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBe(60)
})

test.describe('the editor', () => {
  // The server refuses a file.
  test.use({ account: 'superadmin', expectedConsole: [/status of 422/] })

  test('works by keyboard, refuses invalid links and files, and accepts a Word document', async ({
    page,
  }) => {
    await page.goto('/app/news/edit')
    const text = page.getByRole('textbox', { name: 'News' })
    await text.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')

    await page.keyboard.press('Alt+F10')
    await page.keyboard.press('End')
    await expect(tool(page, 'HTML source')).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowRight')
    await expect(tool(page, 'Redo').or(tool(page, 'Large heading')).first()).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(text).toBeFocused()

    await tool(page, 'Link').click()
    await page.getByLabel('Link to').fill('javascript:alert(1)')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Enter a web address')).toBeVisible()
    await page.keyboard.press('Escape')

    await chooseFile(page, {
      name: 'a.svg',
      mimeType: 'image/svg+xml',
      buffer: Buffer.from('<svg/>'),
    })
    await expect(page.getByRole('alert')).toContainText('a.svg must be a PNG')
    await chooseFile(page, { name: 'b.png', mimeType: 'image/png', buffer: Buffer.from('no') })
    await expect(page.getByRole('alert')).toContainText('b.png: The picture must be a PNG')

    const word = wordDocument({ megabytes: 2, words: 12_000 })
    await paste(text, word)
    await expect(text.locator('ul > li > ul > li').first()).toHaveText('a point within')
    const source = await sourceOf(page)
    expect(source).not.toMatch(/mso|Mso|style=|class=|o:p|<!--/)
    expect(source.length).toBeLessThan(150_000)

    await paste(text, `<p>${'far too much '.repeat(20_000)}</p>`)
    await expect(page.getByRole('alert')).toContainText('The pasted text is too long')
  })
})

test.describe('a picture', () => {
  test.use({ account: 'superadmin', permissions: ['clipboard-read', 'clipboard-write'] })

  test('is inserted where it was pasted or dropped', async ({ page, context }, testInfo) => {
    const file = testInfo.outputPath('photo.png')
    writeFileSync(file, picture)
    await page.goto('/app/news/edit')
    const text = page.getByRole('textbox', { name: 'News' })
    await text.click()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('first')
    await page.keyboard.press('Enter')
    await page.keyboard.type('second')

    await copyPicture(page)
    await page.keyboard.press('Control+V')
    await expect(text.locator('p:text-is("second") + img')).toBeVisible()

    const first = await text.getByText('first').boundingBox()
    if (!first) throw new Error('The paragraph is not on screen.')
    const devTools = await context.newCDPSession(page)
    const drop = {
      x: first.x + 1,
      y: first.y + first.height / 2,
      data: { items: [], files: [file], dragOperationsMask: 1 },
    }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devTools.send('Input.dispatchDragEvent', { type, ...drop })
    await expect(text.locator('img')).toHaveCount(2)
    await expect(text.locator('img ~ p:text-is("second") + img')).toBeVisible()
  })
})

test.describe('hostile HTML', () => {
  // Without the CSP, so that the test proves the sanitizer and not the policy behind it.
  test.use({ account: 'maria', bypassCSP: true })

  test('does nothing, and legitimate HTML is shown unchanged', async ({ page, baseURL }) => {
    // Hundreds of texts in sequence.
    test.slow()
    const legitimate =
      '<h2 style="text-align: center;">A</h2><p><span style="color: rgb(201, 42, 42);">b</span> <strong>c</strong></p><ul><li><p>d</p></li></ul>'
    const texts = [...hostileTexts(), legitimate]
    await page.route('**/api/site-manuals?*', (route) =>
      route.fulfill({ json: texts.map((_, at) => manualOf(at + 1)) }),
    )
    await page.route(/\/api\/site-manuals\/\d+$/, (route) => {
      const id = Number(route.request().url().split('/').at(-1))
      return route.fulfill({ json: { ...manualOf(id), html: texts[id - 1], version: 1 } })
    })
    const strangers: string[] = []
    page.on('dialog', (dialog) => {
      strangers.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.goto('/app/how-to-sell')
    // Attached rather than visible: nothing may be left of the first text, and an empty article has no height.
    await expect(page.getByRole('article', { name: 'Manual 1', exact: true })).toBeAttached()
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url())
      if (origin !== baseURL || !/^\/(assets|api)\//.test(pathname)) strangers.push(request.url())
    })

    const changed = await page.evaluate(async (count) => {
      const globals = () => Object.keys(window).toSorted().join()
      const before = globals()
      const own = document.createElement
      const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      for (let id = 1; id <= count; id++) {
        document.querySelector<HTMLElement>(`nav a[href$="manual=${id}"]`)?.click()
        const shown = () => document.querySelector(`article[aria-label="Manual ${id}"]`)
        for (let frames = 0; frames < 300; frames++) {
          if (shown() && !shown()?.querySelector('[aria-busy]')) break
          await nextFrame()
        }
        if (!shown() || shown()?.querySelector('[aria-busy]')) return `manual ${id} did not come`
      }
      await new Promise((resolve) => setTimeout(resolve, 500))
      if (document.createElement !== own) return 'document.createElement was taken'
      return globals() === before ? 'nothing' : globals()
    }, texts.length)
    expect(changed).toBe('nothing')
    expect(strangers).toEqual([])
    expect(await page.locator('article > div').innerHTML()).toBe(legitimate)
  })
})

test('news and alerts are shown to others, alerts until they are marked as read', async ({
  people,
}) => {
  const page = await people.seat('superadmin', '/app/news/edit')
  const news = `Season starts ${Date.now()}`
  await writeAfresh(page, 'News', news)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Successfully saved')).toBeVisible()
  await expect(page).not.toHaveURL(/news/)
  await page.goto('/app/news/edit')
  await expect(page.getByRole('textbox', { name: 'News' })).toHaveText(news)

  const reader = await people.seat('maria', '/app/profile')
  const banner = reader.getByRole('region', { name: 'Alert' })
  const publish = async (text: string) => {
    await page.goto('/app/news')
    await page.getByRole('navigation', { name: 'News' }).getByText('Edit Alert').click()
    await page.getByLabel('Enable alert').check()
    await writeAfresh(page, 'Alert', text)
    await page.getByRole('button', { name: 'Update' }).click()
    await expect(page.getByText('Successfully saved').first()).toBeVisible()
    await reader.reload()
  }
  await publish('Payouts are late')
  await expect(banner).toContainText('Payouts are late')
  await banner.getByRole('button', { name: 'Mark as read' }).click()
  await expect(banner).toBeHidden()
  await reader.reload()
  await expect(reader.getByRole('heading', { name: 'Profile' })).toBeVisible()
  await expect(banner).toBeHidden()
  await publish('Payouts are there')
  await expect(banner).toContainText('Payouts are there')
})

test.describe('an account’s own alert', () => {
  test.use({ account: 'maria' })

  test('comes before the common one, is plain text, and is unread again when it changes', async ({
    page,
  }) => {
    let accountAlert = 'Call <b>me</b>\ntoday'
    await page.route('**/api/alerts/login', (route) =>
      route.fulfill({
        json: { accountAlert, payeeAccount: null, commonAlert: '<p>To <em>all</em></p>' },
      }),
    )
    await page.goto('/app/profile')
    const banner = page.getByRole('region', { name: 'Alert' })
    const read = banner.getByRole('button', { name: 'Mark as read' })
    await expect(banner).toContainText('Call <b>me</b>')
    await read.click()
    await expect(banner.locator('em')).toHaveText('all')
    await read.click()
    await expect(banner).toBeHidden()
    accountAlert = 'Call me tomorrow'
    await page.reload()
    await expect(banner).toContainText('tomorrow')
  })
})

test.describe('texts that a library makes HTML of by itself', () => {
  test.use({
    account: 'superadmin',
    // One pattern: Playwright takes a list of two for a value and its options.
    expectedConsole: [/requires 'TrustedScript'|inline event handler/],
  })

  test('are cleaned by the browser’s policy, and scripts are refused', async ({ page }) => {
    await page.goto('/app/news/edit')
    await expect(page.getByRole('textbox', { name: 'News' })).toBeVisible()
    const made = await page.evaluate(() => {
      const element = document.createElement('div')
      element.innerHTML = '<p onclick="a()">kept</p><img src="x" onerror="a()">'
      try {
        document.createElement('script').text = 'a()'
        return 'a script was made'
      } catch {
        return element.innerHTML
      }
    })
    expect(made).toBe('<p>kept</p>')
  })
})

const tool = (page: Page, name: string) =>
  page.getByRole('toolbar', { name: 'Formatting' }).getByRole('button', { name, exact: true })

const manualOf = (id: number) => ({ id, siteId: id, sitename: `site ${id}`, title: `Manual ${id}` })

async function sourceOf(page: Page): Promise<string> {
  await tool(page, 'HTML source').click()
  const source = await page.getByRole('textbox', { name: /: HTML$/ }).inputValue()
  await tool(page, 'HTML source').click()
  return source
}

async function writeAfresh(page: Page, label: string, text: string) {
  await page.getByRole('textbox', { name: label }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.type(text)
}

async function chooseFile(page: Page, file: { name: string; mimeType: string; buffer: Buffer }) {
  const chooser = page.waitForEvent('filechooser')
  await tool(page, 'Add pictures').click()
  await (await chooser).setFiles(file)
}

/** Puts the picture on the system clipboard, like a screenshot. */
const copyPicture = (page: Page) =>
  page.evaluate(
    async (bytes) => {
      const blob = new Blob([Uint8Array.from(bytes)], { type: 'image/png' })
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
    },
    [...picture],
  )

/** Pastes HTML as the system clipboard would provide it. Returns the milliseconds until the next frame. */
const paste = (text: Locator, html: string): Promise<number> =>
  text.evaluate(async (element, given) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', given)
    const started = performance.now()
    element.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    )
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - started
  }, html)
