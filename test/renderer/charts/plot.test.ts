import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nearestPoint, nextPoint } from '../../../renderer/charts/plot.tsx'
import { tierShapes } from '../../../renderer/charts/tier-mark.tsx'

it('finds the point nearest to the pointer', () => {
  expect(nearestPoint([], 5)).toBe(-1)
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1 }),
      fc.integer({ min: -50, max: 1050 }),
      (times, at) => {
        const points = times.sort((a, b) => a - b).map((time) => ({ at: time }))
        const distance = (index: number) => Math.abs((points[index]?.at ?? Infinity) - at)
        expect(distance(nearestPoint(points, at))).toBe(Math.min(...points.map((_, index) => distance(index))))
      },
    ),
  )
})

it('reaches every point by the arrow keys, and stays at the ends', () => {
  const count = 6
  const walk = (by: number) => {
    const visited: number[] = []
    for (let step = 0; step < count + 1; step += 1) visited.push(nextPoint(visited.at(-1) ?? null, by, count))
    return visited
  }
  expect(walk(1)).toEqual([0, 1, 2, 3, 4, 5, 5])
  expect(walk(-1)).toEqual([5, 4, 3, 2, 1, 0, 0])
})

it('draws the shapes of many points as one path', () => {
  expect(
    tierShapes(
      'high',
      [
        { x: 10, y: 20 },
        { x: 30, y: 20 },
      ],
      4,
    ),
  ).toBe('M8.0 20.0L10.0 18.0L12.0 20.0L10.0 22.0zM28.0 20.0L30.0 18.0L32.0 20.0L30.0 22.0z')
  expect(tierShapes('crisis', [], 9)).toBe('')
})
