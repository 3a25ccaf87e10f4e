import { ACTIONS, type CardPlace, type ListColumn } from '../list/columns.ts'

type Placed = Pick<ListColumn<never>, 'id' | 'card' | 'numeric' | 'fixed'>

/** The columns of a list by their place on a card. */
export function cardPlaces<Column extends Placed>(columns: readonly Column[]) {
  const named = columns.filter(({ id }) => id !== ACTIONS)
  const at = (place: CardPlace) => named.filter(({ card }) => card === place)
  const free = named.filter(({ card }) => card === undefined)
  // A column that can't be hidden from a table names its rows.
  const heads = named.slice(0, 1).filter(({ fixed, card }) => fixed && card === undefined)
  const [title = free[0], ...subtitles] = [...heads, ...at('title')]
  const money = at('money').length > 0 ? at('money') : free.filter(isFigure).slice(-1)
  const taken = new Set([title, ...subtitles, ...money, ...at('hidden')])
  return {
    title,
    subtitles,
    money: money.filter((column) => column !== title),
    details: named.filter((column) => !taken.has(column)),
    actions: columns.find(({ id }) => id === ACTIONS),
  }
}

const isFigure = ({ numeric }: Placed) => numeric === true
