import { expect, test } from 'vitest'
import { solveQuestion } from '../../../test/solve-question.ts'
import { askQuestion, questionWords } from './captcha-questions.ts'

const drawn = Array.from({ length: 20_000 }, askQuestion)

test('the text alone leads to the answer, whatever the kind', () => {
  const met = new Set<string>()
  for (const { question, answer } of drawn) {
    const solved = solveQuestion(question)
    expect([question, solved.answer]).toEqual([question, answer])
    met.add(solved.way)
  }
  expect(met.size).toBe(4)
})

test('an answer has letters alone and fits in the field', () => {
  for (const { answer } of drawn) expect(answer).toMatch(/^[a-z]{4,16}$/)
})

test('no answer is worth a guess without the question', () => {
  const counts = new Map<string, number>()
  for (const { answer } of drawn) counts.set(answer, (counts.get(answer) ?? 0) + 1)
  expect(Math.max(...counts.values())).toBeLessThan(drawn.length / 400)
  expect(counts.size).toBeGreaterThan(drawn.length / 4)
})

test('the words are many, different, and of six to nine letters', () => {
  expect(questionWords.length).toBeGreaterThan(200)
  expect(new Set(questionWords).size).toBe(questionWords.length)
  for (const word of questionWords) expect(word).toMatch(/^[a-z]{6,9}$/)
})
