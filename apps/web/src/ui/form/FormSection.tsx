import { useId, type ReactNode } from 'react'
import classes from './FormSection.module.css'

interface FormSectionProps {
  title: string
  /** One sentence about its fields. */
  about: string
  /** For technical or rarely changed fields: folded into one line with the current values. */
  folded?: {
    says: string
    /** One of its fields has a message. */
    hasError: boolean
  }
  children: ReactNode
}

/**
 * A part of a form: its heading and a sentence about it on the left, its fields beside it in as
 * many columns as fit. On a phone, everything is in one column.
 */
export function FormSection({ title, about, folded, children }: FormSectionProps) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className={classes.section}>
      <div className={classes.heading}>
        <h2 id={id}>{title}</h2>
        <p>{about}</p>
      </div>
      {folded ? (
        <details className={classes.folded} open={folded.hasError || undefined}>
          <summary>{folded.says}</summary>
          <div className={classes.fields}>{children}</div>
        </details>
      ) : (
        <div className={classes.fields}>{children}</div>
      )}
    </div>
  )
}

/** A field as wide as its section: a long text, a list. */
export const WholeRow = ({ children }: { children: ReactNode }) => (
  <div className={classes.whole}>{children}</div>
)
