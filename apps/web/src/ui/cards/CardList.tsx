import { Checkbox, Skeleton } from '@mantine/core'
import { Card, type CardFact } from './Card.tsx'
import { cardPlaces } from './card-places.ts'
import classes from './CardList.module.css'
import { CardSort } from './CardSort.tsx'
import type { ListColumn, TotalsRow } from '../list/columns.ts'
import type { DataTableProps } from '../list/DataTable.tsx'
import { ListFailure } from '../list/ListFailure.tsx'

const NO_KEYS: ReadonlySet<string> = new Set()

/** The rows of a list on a phone: a card for each, then one for each totals row. */
export default function CardList<Row extends object>(
  props: Omit<DataTableProps<Row>, 'hiddenColumns'>,
) {
  const { columns, rows, rowKey, selected = NO_KEYS, onSelect, totals = [] } = props
  const places = cardPlaces(columns)
  const { title, subtitles, money, details, actions } = places
  const keys = rows?.map(rowKey) ?? []
  const isMessage = rows === undefined ? Boolean(props.failure?.error) : rows.length === 0
  const chosen = keys.filter((key) => selected.has(key))
  const select = (key: string, isSelected: boolean) =>
    onSelect?.(new Set(isSelected ? [...chosen, key] : chosen.filter((other) => other !== key)))

  return (
    <div
      className={classes.region}
      role="region"
      aria-label={props.caption}
      aria-busy={rows === undefined || props.stale === true}
    >
      <div className={classes.tools} data-hidden={isMessage || undefined}>
        {onSelect && (
          <Checkbox
            size="sm"
            label="Select all"
            disabled={keys.length === 0}
            checked={keys.length > 0 && chosen.length === keys.length}
            indeterminate={chosen.length > 0 && chosen.length < keys.length}
            onChange={(event) => onSelect(new Set(event.currentTarget.checked ? keys : []))}
          />
        )}
        <CardSort columns={columns} sort={props.sort} onSort={props.onSort} />
      </div>
      {props.failure?.error && rows === undefined ? (
        <div className={classes.message}>
          <ListFailure {...props.failure} />
        </div>
      ) : rows === undefined ? (
        <SkeletonCards hasSubtitle={subtitles.length > 0} />
      ) : rows.length === 0 ? (
        <div className={classes.message}>{props.empty}</div>
      ) : (
        <ul className={classes.cards} data-stale={props.stale || undefined}>
          {rows.map((row, index) => {
            const key = rowKey(row)
            const factOf = (column: ListColumn<Row>): CardFact => ({
              id: column.id,
              label: column.header,
              value: column.cell(row, index),
              bonus: column.bonus,
            })
            return (
              <Card
                key={key}
                title={title?.cell(row, index)}
                subtitles={subtitles.map(factOf).filter(({ value }) => Boolean(value))}
                money={money.map(factOf)}
                details={details.map(factOf)}
                actions={actions?.cell(row, index)}
                number={props.firstNumber === undefined ? undefined : props.firstNumber + index}
                tone={props.rowTone?.(row)}
                below={props.rowDetail?.(row)}
                select={
                  onSelect && {
                    label: `Select row ${index + 1}`,
                    isSelected: selected.has(key),
                    onChange: (isSelected) => select(key, isSelected),
                  }
                }
              />
            )
          })}
          {totals.map((total) => (
            <TotalsCard key={total.id} total={total} places={places} />
          ))}
        </ul>
      )}
    </div>
  )
}

interface TotalsCardProps<Row> {
  total: TotalsRow
  places: ReturnType<typeof cardPlaces<ListColumn<Row>>>
}

function TotalsCard<Row>({ total, places: { title, money, details } }: TotalsCardProps<Row>) {
  const factsOf = (columns: readonly ListColumn<Row>[]): CardFact[] =>
    columns
      .map(({ id, header, bonus }) => ({ id, label: header, value: total.cells[id], bonus }))
      .filter(({ value }) => value !== undefined && value !== null)
  return (
    <Card
      title={(title && total.cells[title.id]) ?? total.label}
      subtitles={total.note ? [{ id: 'note', value: total.note }] : []}
      money={factsOf(money)}
      details={factsOf(details)}
      tone="total"
    />
  )
}

const SKELETON_CARDS = 12

/** Placeholders as high as cards that are folded. */
const SkeletonCards = ({ hasSubtitle }: { hasSubtitle: boolean }) => (
  <ul className={classes.cards} aria-hidden>
    {Array.from({ length: SKELETON_CARDS }, (_, card) => (
      <li key={card} className={classes.card}>
        <div className={classes.head}>
          <div className={classes.names}>
            <div className={classes.title}>
              <Skeleton height={10} width={110 + ((card * 7) % 50)} display="inline-block" />
            </div>
            {hasSubtitle && (
              <div className={classes.subtitle}>
                <span>
                  <Skeleton height={8} width={80 + ((card * 13) % 40)} display="inline-block" />
                </span>
              </div>
            )}
          </div>
          <Skeleton height={10} width={54} />
        </div>
      </li>
    ))}
  </ul>
)
