import { randomInt } from 'node:crypto'

/** A question that a screen reader can read out, and its answer of at most 16 letters. */
export interface CaptchaQuestion {
  question: string
  answer: string
}

/** Common words of six to nine letters, spelled alike on both sides of the ocean, and none that sounds like another word. */
export const questionWords: readonly string[] =
  `acrobat airport almond amazing anchor animal apricot autumn avocado badger balcony bamboo banana bandage banquet
  basket battery bedroom beetle bicycle blanket blossom bottle bracelet breakfast bridge broccoli bucket buffalo
  butter butterfly button cabbage cabinet cactus camera candle cardboard carpet castle cathedral cherry chicken
  chimney chocolate circle clarinet climate coconut compass concert cookie copper costume cottage cotton
  crocodile crystal cucumber curtain cushion custard dancer daughter december decimal diamond dinner doctor
  dolphin dragon drawer elephant emerald engine envelope evening explorer fabric factory falcon family feather
  festival finger flamingo forest fountain freezer furniture galaxy garage garden garlic ginger giraffe glacier
  granite guitar hammer hamster harvest hazelnut helmet hexagon history holiday hospital iceberg island jacket
  jaguar jigsaw journey jungle kangaroo kettle keyboard kitchen kitten lantern laptop laundry lavender lemonade
  library lobster magazine magnet market meadow melody mermaid midnight mirror mitten monday morning mountain
  museum mushroom napkin nature necklace needle notebook november october octopus orange orchard orchestra
  ostrich oxygen package paddle painter palace pancake panther parrot parsley peanut pelican pencil penguin
  pepper perfume picnic pigeon pillow planet plastic platform pocket popcorn potato pumpkin purple puzzle
  pyramid rabbit railway rainbow raspberry reindeer ribbon rocket saddle sailboat sandwich saturday scarlet
  school scissors season shadow shampoo shepherd shoulder silver snowflake spider spinach spring squirrel
  stadium station summer sunflower sunset sunshine sweater tablet teacher telescope tennis thunder ticket
  toaster tomato tractor traffic treasure triangle trumpet tuesday tunnel turtle umbrella unicorn uniform
  vacation vanilla velvet village vinegar violet violin volcano walnut window winter wizard wonder wooden yellow
  zipper`.split(/\s+/)

/** The letters of a word by their places: the last one is called so, whatever its number. */
const places = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

/** Each kind has thousands of answers, so that no answer is worth a blind guess. */
const kinds: readonly (() => CaptchaQuestion)[] = [
  () => {
    const word = anyWord()
    const chosen = someOf(word, 4)
    return {
      question: `Type the ${named(word, chosen)} letter of the word ${quoted(word)}.`,
      answer: chosen.map((at) => word[at]).join(''),
    }
  },
  () => {
    const word = anyWord()
    const left = someOf(word, 2)
    return {
      question: `Type the word ${quoted(word)} without its ${named(word, left)} letter.`,
      answer: Array.from(word)
        .filter((_, at) => !left.includes(at))
        .join(''),
    }
  },
  () => {
    const [one, other] = twoWords()
    return {
      question: `Type the first three letters of the word ${quoted(one)}, then the last three of ${quoted(other)}.`,
      answer: one.slice(0, 3) + other.slice(-3),
    }
  },
  () => {
    const [one, other] = twoWords()
    const [at = 0] = someOf(other, 1)
    return {
      question: `Type the word ${quoted(one)} backwards, then the ${named(other, [at])} letter of ${quoted(other)}.`,
      answer: Array.from(one).toReversed().join('') + other.charAt(at),
    }
  },
]

/** A question of any kind. */
export const askQuestion = (): CaptchaQuestion => oneOf(kinds)()

const oneOf = <Item>(items: readonly Item[]): Item => {
  const item = items[randomInt(items.length)]
  if (item === undefined) throw new Error('There is nothing to choose from')
  return item
}

const anyWord = () => oneOf(questionWords)

function twoWords(): [string, string] {
  const one = anyWord()
  return [one, oneOf(questionWords.filter((word) => word !== one))]
}

/** As many different places in a word, in their order. */
function someOf(word: string, count: number): number[] {
  const left = Array.from(word, (_, at) => at)
  while (left.length > count) left.splice(randomInt(left.length), 1)
  return left
}

/** Names places in a word: 'second, third and last'. */
function named(word: string, chosen: readonly number[]): string {
  const names = chosen.map((at) => (at === word.length - 1 ? 'last' : (places[at] ?? '')))
  const last = names.pop() ?? ''
  return names.length > 0 ? `${names.join(', ')} and ${last}` : last
}

const quoted = (word: string) => `“${word}”`
