const places = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth']

/** What a person does who has heard the question, by its kind. */
const ways: [RegExp, (word: string, ...heard: string[]) => string][] = [
  [
    /^Type the word “(\w+)” without its (.+) letter\.$/,
    (word, list = '') => {
      const out = placesOf(word, list)
      return Array.from(word, (letter, at) => (out.includes(at) ? '' : letter)).join('')
    },
  ],
  [
    /^Type the first three letters of the word “(\w+)”, then the last three of “(\w+)”\.$/,
    (word, other = '') => `${word[0]}${word[1]}${word[2]}${other.slice(other.length - 3)}`,
  ],
  [
    /^Type the word “(\w+)” backwards, then the (\w+) letter of “(\w+)”\.$/,
    (word, place = '', other = '') =>
      Array.from(word).reduce((so, letter) => letter + so, '') + lettersOf(other, place),
  ],
]
const byPlaces = /^Type the (.+) letter of the word “(\w+)”\.$/

/** Answers a captcha's question by its text alone. Written apart from what makes it, so that the two can't drift. */
export function solveQuestion(question: string): { way: string; answer: string } {
  const [, list = '', of = ''] = byPlaces.exec(question) ?? []
  if (of !== '') return { way: String(byPlaces), answer: lettersOf(of, list) }
  for (const [way, answer] of ways) {
    const [, word, ...heard] = way.exec(question) ?? []
    if (word !== undefined) return { way: String(way), answer: answer(word, ...heard) }
  }
  throw new Error(`Nobody can answer: ${question}`)
}

const placesOf = (word: string, list: string) =>
  list.split(/, | and /).map((name) => {
    const at = name === 'last' ? word.length - 1 : places.indexOf(name)
    if (at < 0 || (name !== 'last' && at >= word.length - 1)) throw new Error(`${word}: ${name}`)
    return at
  })

const lettersOf = (word: string, list: string) =>
  placesOf(word, list)
    .map((at) => word.charAt(at))
    .join('')
