import sharp from 'sharp'
import svgCaptcha from 'svg-captcha'
import { atMost } from '../at-most.ts'

type SvgOptions = NonNullable<Parameters<typeof svgCaptcha.create>[0]>

// The package's types omit that the export itself is a function that draws the given text.
const drawSvg = svgCaptcha as unknown as (text: string, options: SvgOptions) => string

/** In CSS pixels. Rendered at twice the size for high-density screens. */
const size = { width: 180, height: 56 }
const dotsPerPixel = 2
const background = '#ffffff'

/** Drawing is CPU-bound: a flood of requests must not starve everything else. */
const inTurn = atMost({ running: 2, waiting: 100 })

/**
 * Draws text, dark on white, as a PNG data URL. The intermediate SVG would reveal the text, so it is not sent.
 *
 * @throws BusyError if the queue is full.
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
