import classes from './Figure.module.css'
import type { FigureColumn } from './figures.ts'
import type { StatsTotals } from './stats-totals.ts'

interface FigureProps {
  column: FigureColumn
  amounts: StatsTotals
}

/** One figure, of a row or of a total. */
export function Figure({ column: { value, format, bonus }, amounts }: FigureProps) {
  const text = format(value(amounts))
  return bonus ? <span className={classes.bonus}>{text}</span> : text
}
