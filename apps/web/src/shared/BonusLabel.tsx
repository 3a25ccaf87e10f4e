import type { ReactNode } from 'react'
import classes from './BonusLabel.module.css'

/**
 * A bonus figure. The specified red, #ff3300, has too little contrast for small text on white (3.66:1). It colours
 * the mark beside the figure, and the figure itself has the nearest readable shade.
 */
export const BonusLabel = ({ children }: { children: ReactNode }) => (
  <span className={classes.bonus}>{children}</span>
)
