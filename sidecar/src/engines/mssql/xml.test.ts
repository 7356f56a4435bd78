import { elementsBelow, readXml } from './xml.ts';

describe('readXml', () => {
  it('reads elements, attributes and character references', () => {
    const [root] = readXml(
      `<?xml version="1.0"?><!-- <x> --><p:a b="1 &lt; 2 &amp;&#x41;&#66;" c='"'><d/><e>text &amp; more</e><![CDATA[<x>]]></p:a>`,
    ).children;
    expect(root).toEqual({
      name: 'a',
      attributes: { b: '1 < 2 &AB', c: '"' },
      children: [
        { name: 'd', attributes: {}, children: [] },
        { name: 'e', attributes: {}, children: [] },
      ],
    });
  });

  it('does not mistake a character inside an attribute for the end of a tag', () => {
    expect(readXml('<a b="x > y"><c/></a>').children[0]?.attributes).toEqual({ b: 'x > y' });
  });

  it.each(['<a>', '</a>', '<a></b>', '<a><b></a>'])('does not read %j', (xml) => {
    expect(() => readXml(xml)).toThrow('The XML of the plan');
  });

  it('searches below an element, but not below an excluded one', () => {
    const root = readXml('<a><b n="1"><b n="2"/></b><c><b n="3"/></c></a>');
    expect(elementsBelow(root, 'b').map(({ attributes }) => attributes['n'])).toEqual(['1', '3']);
    expect(elementsBelow(root, 'b', 'c').map(({ attributes }) => attributes['n'])).toEqual(['1']);
  });
});
