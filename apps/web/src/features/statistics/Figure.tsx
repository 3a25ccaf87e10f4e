import classes from './Figure.module.css'
import type { FigureColumn, StatsTotals } from './figures.ts'
import { ExplainLink } from './explain/ExplainLink.tsx'

interface FigureProps {
  column: FigureColumn
  amounts: StatsTotals
  /** The URL search in which the amount is explained; undefined where it can't be. */
  explain?: object | undefined
}

/** One figure, of a row or of a total. */
export function Figure({
  column: { value, format, bonus, header },
  amounts,
  explain,
}: FigureProps) {
  const figure = value(amounts)
  const text = format(figure)
  const content =
    explain && figure !== undefined ? (
      <ExplainLink search={explain} label={`${header} ${text}: what it is made of`}>
        {text}
      </ExplainLink>
    ) : (
      text
    )
  return bonus ? <span className={classes.bonus}>{content}</span> : content
}
