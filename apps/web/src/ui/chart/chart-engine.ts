import { BarChart, LineChart, type BarSeriesOption, type LineSeriesOption } from 'echarts/charts'
import {
  GridComponent,
  TooltipComponent,
  type GridComponentOption,
  type TooltipComponentOption,
} from 'echarts/components'
import { init, use as register, type ComposeOption } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

register([BarChart, LineChart, GridComponent, TooltipComponent, SVGRenderer])

/** What a chart draws. Import it as a type only: the library belongs in a chunk of its own. */
export type ChartOption = ComposeOption<
  BarSeriesOption | LineSeriesOption | GridComponentOption | TooltipComponentOption
>

/**
 * Draws a chart, without animation. Its colours are custom properties of the page
 * (`chart.module.css`), so that brand and colour scheme apply at once without redrawing.
 * @param onPick called with the clicked position on the x axis, counted from 0
 * @returns a function that removes the drawing
 */
export function drawChart(
  element: HTMLElement,
  option: ChartOption,
  onPick?: (place: number) => void,
): () => void {
  const chart = init(element, null, { renderer: 'svg' })
  chart.setOption({ animation: false, textStyle: { fontFamily: 'inherit' }, ...option })
  if (onPick) {
    // The full height of a position can be clicked, because a low bar would be hard to hit.
    const surface = chart.getZr()
    const placeAt = ({ offsetX, offsetY }: { offsetX: number; offsetY: number }) => {
      if (!chart.containPixel('grid', [offsetX, offsetY])) return undefined
      const [place] = chart.convertFromPixel({ gridIndex: 0 }, [offsetX, offsetY])
      return place
    }
    surface.on('click', (event) => {
      const place = placeAt(event)
      if (place !== undefined) onPick(place)
    })
    surface.on('mousemove', (event) =>
      surface.setCursorStyle(placeAt(event) === undefined ? 'default' : 'pointer'),
    )
  }
  const watched = new ResizeObserver(() => {
    chart.resize()
    scaleOnPaper(element)
  })
  watched.observe(element)
  return () => {
    watched.disconnect()
    chart.dispose()
  }
}

/** Paper has another width than the window; with a view box, the drawing scales. */
function scaleOnPaper(element: HTMLElement) {
  const svg = element.querySelector('svg')
  svg?.setAttribute('viewBox', `0 0 ${element.clientWidth} ${element.clientHeight}`)
}
