import sharp from 'sharp'
import { expect, test } from 'vitest'
import { drawCaptcha } from './captcha-image.ts'

test('a captcha is a PNG of 360 by 112 pixels, dark on white, without its text', async () => {
  const image = await drawCaptcha('ACEFH')
  const [, base64 = ''] = image.split('data:image/png;base64,')
  const png = Buffer.from(base64, 'base64')
  const { format, width, height } = await sharp(png).metadata()
  const { channels, isOpaque } = await sharp(png).stats()
  const darkest = Math.min(...channels.map(({ min }) => min))
  const lightest = Math.min(...channels.map(({ max }) => max))
  expect({ format, width, height, isOpaque, isReadable: darkest < 80 && lightest === 255 }).toEqual(
    {
      format: 'png',
      width: 360,
      height: 112,
      isOpaque: true,
      isReadable: true,
    },
  )
  expect(png.includes('ACEFH')).toBe(false)
  expect(png.includes('svg')).toBe(false)
})

test('the same text is never drawn the same way twice', async () => {
  expect(await drawCaptcha('ACEFH')).not.toBe(await drawCaptcha('ACEFH'))
})
