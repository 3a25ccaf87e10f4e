import { test } from './support/paying-network.ts'
import { expect } from './support/test.ts'

// One network for all tests of this file, each of which has an office of its own.
test.describe.configure({ mode: 'default' })

const places = [
  { name: 'at a desk', viewport: { width: 1440, height: 900 }, office: 'iloilo' },
  { name: 'on a phone', viewport: { width: 390, height: 844 }, office: 'davao' },
] as const

for (const { name, viewport, office } of places) {
  test(`${name}, the bell says what happened to an office’s pay, leads to it, and remembers what was read`, async ({
    network: { staff, offices },
  }) => {
    const { id } = offices[office]
    const hold = { held: true, reason: 'A test', told: 'We check some sales.' }
    await staff.cat.call('POST', `/api/pay/balances/office/${id}/hold`, hold)
    const page = await offices[office].open('/app/links/links')
    await page.setViewportSize(viewport)
    const bell = page.getByRole('button', { name: /^Notifications/ })
    await expect(bell).toHaveAccessibleName(/^Notifications, \d+ new$/)

    await bell.press('Enter')
    const list = page.getByRole('dialog', { name: 'Notifications' })
    const line = list.getByRole('link', { name: /Your pay is on hold/ }).first()
    await expect(line).toContainText('We check some sales.')
    await expect(line.getByRole('img', { name: 'New' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(list).toBeHidden()
    await expect(bell).toBeFocused()

    await bell.click()
    await line.click()
    await expect(page).toHaveURL(new RegExp(`/app/pay/balances/office/${id}$`))
    await expect(list).toBeHidden()
    await bell.click()
    await expect(line.getByRole('img', { name: 'New' })).toBeHidden()
    const markAll = list.getByRole('button', { name: 'Mark all as read' })
    if (await markAll.isVisible()) await markAll.click()
    await expect(list.getByRole('img', { name: 'New' })).toHaveCount(0)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible()
  })

  test(`${name}, an office chooses what it hears of by mail`, async ({ network: { offices } }) => {
    const page = await offices[office].open('/app/profile')
    await page.setViewportSize(viewport)
    const payments = page.getByRole('radiogroup', { name: 'Payments and holds' })
    await expect(payments.getByRole('radio', { name: 'At once' })).toBeChecked()
    await payments.getByText('Digest').click()
    await expect(page.getByText('Successfully saved').first()).toBeVisible()
    await page.reload()
    await expect(payments.getByRole('radio', { name: 'Digest' })).toBeChecked()
    await expect(page.getByRole('radiogroup', { name: 'Alarms' })).toHaveCount(0)
  })
}
