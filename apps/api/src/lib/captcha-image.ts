import sharp from 'sharp'
import svgCaptcha from 'svg-captcha'
import { atMost } from './at-most.ts'

type SvgOptions = NonNullable<Parameters<typeof svgCaptcha.create>[0]>

// The package's types leave out that it is itself the function that draws a given text.
const drawSvg = svgCaptcha as unknown as (text: string, options: SvgOptions) => string

/** In CSS pixels; drawn at twice that for sharp screens. */
const size = { width: 180, height: 56 }
const dotsPerPixel = 2
const background = '#ffffff'

/** Drawing is work for the processor: a flood of requests must not take it from everything else. */
const inTurn = atMost({ running: 2, waiting: 100 })

/**
 * Draws text for people to read, dark on white, as the data URL of a PNG. The SVG that it is made from
 * would give the text away and never leaves.
 *
 * @throws BusyError when too many pictures are waiting to be drawn.
 */
export async function drawCaptcha(text: string): Promise<string> {
  const svg = drawSvg(text, { ...size, fontSize: 60, noise: 2, color: false })
  const png = await inTurn(() =>
    sharp(Buffer.from(svg), { density: 72 * dotsPerPixel })
      .flatten({ background })
      .png({ palette: true })
      .toBuffer(),
  )
  return `data:image/png;base64,${png.toString('base64')}`
}
