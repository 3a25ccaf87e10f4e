import { Checkbox } from '@mantine/core'
import type { News } from '@tallyroom/contract/pay/runs/runs'
import { formatCount } from '@tallyroom/domain/money'
import { newsByPayee } from './run-words.ts'
import classes from '../runs.module.css'

interface RunNewsProps {
  news: readonly News[]
  ticked: ReadonlySet<string>
  /** Undefined for somebody who can't approve the run. */
  onTick: ((key: string) => void) | undefined
}

/** What is new about a run since its payees were last paid. Its approver ticks each item. */
export function RunNews({ news, ticked, onTick }: RunNewsProps) {
  const count = news.filter(({ key }) => ticked.has(key)).length
  return (
    <section aria-labelledby="news">
      <h2 id="news">What is new</h2>
      {news.length === 0 ? (
        <p className={classes.dim}>
          Nothing: the same accounts as last time, and no adjustment, hold or unusual amount since.
        </p>
      ) : (
        <>
          <p className={classes.dim} aria-live="polite">
            Since these payees were last paid.{' '}
            {onTick
              ? `Look at each item and tick it: ${formatCount(count)} of ${formatCount(news.length)} ticked.`
              : 'Whoever approves the run ticks each item.'}
          </p>
          {newsByPayee(news).map(({ key, heading, items }) => (
            <div key={key} className={classes.news}>
              <h3>{heading}</h3>
              <ul>
                {items.map((item) => (
                  <li key={item.key}>
                    {onTick ? (
                      <Checkbox
                        label={item.title}
                        description={item.text}
                        checked={ticked.has(item.key)}
                        onChange={() => onTick(item.key)}
                      />
                    ) : (
                      <>
                        {item.title}
                        <p className={classes.dim}>{item.text}</p>
                      </>
                    )}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </>
      )}
    </section>
  )
}
