//! A tiny language model that the test generates: a llama of two layers, 64 wide, with one token for each byte.
//!
//! The format is GGUF version 3, as specified in ggml's `docs/gguf.md`: a header, typed metadata, the names and shapes
//! of tensors, and their values, aligned. The weights are random except for a bias towards ending words after a letter
//! or two, and lists after an item. Without this bias, the model would fill every string with noise up to the output
//! limit, and never complete a finding.

/// Size of a token's vector.
const WIDTH: usize = 64;
/// Size of a layer's feed-forward network.
const INNER: usize = 128;
const LAYERS: usize = 2;
const HEADS: u32 = 4;
/// Unknown, begin, end, and the bytes.
const TOKENS: usize = 3 + 256;
const END: usize = 2;
/// The context length in the metadata.
const CONTEXT: u32 = 32_768;
/// The alignment of tensors.
const ALIGNMENT: usize = 32;
/// The strength of the bias.
const STRENGTH: f32 = 3.0;
/// The constant part of every token's vector, in its first component. The second component has it after letters and
/// digits.
const CONSTANT: f32 = 8.0;
/// The messages in order, each with its role.
const TEMPLATE: &str = "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}assistant: ";

/// The content of the model file.
pub(crate) fn tiny_llama() -> Vec<u8> {
    let (metadata, tensors) = (metadata(), tensors());
    let mut file = b"GGUF".to_vec();
    file.extend(3u32.to_le_bytes());
    file.extend((tensors.len() as u64).to_le_bytes());
    file.extend((metadata.len() as u64).to_le_bytes());
    metadata
        .iter()
        .for_each(|(name, value)| value.write(name, &mut file));
    let mut offset = 0;
    for tensor in &tensors {
        tensor.describe(offset, &mut file);
        offset += (tensor.numbers.len() * 4).next_multiple_of(ALIGNMENT);
    }
    for tensor in &tensors {
        file.resize(file.len().next_multiple_of(ALIGNMENT), 0);
        file.extend(
            tensor
                .numbers
                .iter()
                .flat_map(|number| number.to_le_bytes()),
        );
    }
    file
}

enum Value {
    U32(u32),
    F32(f32),
    Bool(bool),
    Text(String),
    Texts(Vec<String>),
    Floats(Vec<f32>),
    Integers(Vec<i32>),
}

impl Value {
    fn write(&self, name: &str, file: &mut Vec<u8>) {
        write_text(name, file);
        let list = |kind: u32, count: usize, file: &mut Vec<u8>| {
            file.extend([9u32, kind].iter().flat_map(|number| number.to_le_bytes()));
            file.extend((count as u64).to_le_bytes());
        };
        match self {
            Self::U32(number) => {
                file.extend([4, *number].iter().flat_map(|number| number.to_le_bytes()))
            }
            Self::F32(number) => file.extend(
                [6, number.to_bits()]
                    .iter()
                    .flat_map(|number| number.to_le_bytes()),
            ),
            Self::Bool(truth) => file.extend([7, 0, 0, 0, u8::from(*truth)]),
            Self::Text(text) => {
                file.extend(8u32.to_le_bytes());
                write_text(text, file);
            }
            Self::Texts(texts) => {
                list(8, texts.len(), file);
                texts.iter().for_each(|text| write_text(text, file));
            }
            Self::Floats(numbers) => {
                list(6, numbers.len(), file);
                file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
            Self::Integers(numbers) => {
                list(5, numbers.len(), file);
                file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
    }
}

fn write_text(text: &str, file: &mut Vec<u8>) {
    file.extend((text.len() as u64).to_le_bytes());
    file.extend(text.bytes());
}

fn metadata() -> Vec<(&'static str, Value)> {
    let special = ["<unk>", "<s>", "</s>"].map(str::to_owned);
    let tokens = special
        .into_iter()
        .chain((0..=255u8).map(|byte| format!("<0x{byte:02X}>")))
        .collect();
    // 2: unknown, 3: control, 6: byte.
    let kinds = [2, 3, 3].into_iter().chain([6; 256]).collect();
    vec![
        ("general.architecture", Value::Text("llama".to_owned())),
        ("llama.context_length", Value::U32(CONTEXT)),
        ("llama.embedding_length", Value::U32(WIDTH as u32)),
        ("llama.block_count", Value::U32(LAYERS as u32)),
        ("llama.feed_forward_length", Value::U32(INNER as u32)),
        ("llama.attention.head_count", Value::U32(HEADS)),
        ("llama.attention.head_count_kv", Value::U32(HEADS)),
        ("llama.attention.layer_norm_rms_epsilon", Value::F32(1e-5)),
        (
            "llama.rope.dimension_count",
            Value::U32(WIDTH as u32 / HEADS),
        ),
        ("llama.vocab_size", Value::U32(TOKENS as u32)),
        ("tokenizer.ggml.model", Value::Text("llama".to_owned())),
        ("tokenizer.ggml.tokens", Value::Texts(tokens)),
        ("tokenizer.ggml.scores", Value::Floats(vec![0.0; TOKENS])),
        ("tokenizer.ggml.token_type", Value::Integers(kinds)),
        ("tokenizer.ggml.unknown_token_id", Value::U32(0)),
        ("tokenizer.ggml.bos_token_id", Value::U32(1)),
        ("tokenizer.ggml.eos_token_id", Value::U32(END as u32)),
        ("tokenizer.ggml.add_space_prefix", Value::Bool(false)),
        ("tokenizer.chat_template", Value::Text(TEMPLATE.to_owned())),
    ]
}

/// A named tensor; the fastest dimension is first.
struct Tensor {
    name: String,
    shape: Vec<usize>,
    numbers: Vec<f32>,
}

impl Tensor {
    fn new(name: impl Into<String>, shape: &[usize], number: impl FnMut() -> f32) -> Self {
        let count = shape.iter().product();
        Self {
            name: name.into(),
            shape: shape.to_vec(),
            numbers: std::iter::repeat_with(number).take(count).collect(),
        }
    }

    fn describe(&self, offset: usize, file: &mut Vec<u8>) {
        write_text(&self.name, file);
        file.extend((self.shape.len() as u32).to_le_bytes());
        file.extend(
            self.shape
                .iter()
                .flat_map(|size| (*size as u64).to_le_bytes()),
        );
        // Type 0: 32-bit floats.
        file.extend(0u32.to_le_bytes());
        file.extend((offset as u64).to_le_bytes());
    }
}

fn tensors() -> Vec<Tensor> {
    let mut random = Random(1);
    let mut embedding = Tensor::new("token_embd.weight", &[WIDTH, TOKENS], || random.within(1.0));
    let mut output = Tensor::new("output.weight", &[WIDTH, TOKENS], || random.within(0.4));
    for token in 0..TOKENS {
        let byte = token.checked_sub(3).map(|byte| byte as u8);
        embedding.numbers[token * WIDTH] = CONSTANT;
        embedding.numbers[token * WIDTH + 1] = if byte.is_some_and(|b| b.is_ascii_alphanumeric()) {
            CONSTANT
        } else {
            0.0
        };
        let (always, after_a_letter) = byte.map_or((f32::from(u8::from(token == END)), 0.0), bias);
        output.numbers[token * WIDTH] = STRENGTH * always;
        output.numbers[token * WIDTH + 1] = STRENGTH * after_a_letter;
    }
    let mut tensors = vec![
        embedding,
        output,
        Tensor::new("output_norm.weight", &[WIDTH], || 1.0),
    ];
    for layer in 0..LAYERS {
        for (name, shape) in [
            ("attn_q", [WIDTH, WIDTH]),
            ("attn_k", [WIDTH, WIDTH]),
            ("attn_v", [WIDTH, WIDTH]),
            ("attn_output", [WIDTH, WIDTH]),
            ("ffn_gate", [WIDTH, INNER]),
            ("ffn_up", [WIDTH, INNER]),
            ("ffn_down", [INNER, WIDTH]),
        ] {
            tensors.push(Tensor::new(
                format!("blk.{layer}.{name}.weight"),
                &shape,
                || random.within(0.2),
            ));
        }
        for name in ["attn_norm", "ffn_norm"] {
            tensors.push(Tensor::new(
                format!("blk.{layer}.{name}.weight"),
                &[WIDTH],
                || 1.0,
            ));
        }
    }
    tensors
}

/// The bias towards a byte: always, and additionally after a letter or a digit.
fn bias(byte: u8) -> (f32, f32) {
    match byte {
        b'{' => (0.95, 0.0),
        b':' => (0.9, 0.0),
        b']' => (0.6, 0.0),
        b'}' => (0.6, 0.8),
        b',' => (0.2, 1.0),
        b'"' => (0.5, 1.5),
        _ if byte.is_ascii_alphanumeric() => (1.0, 0.0),
        _ => (-1.0, 0.0),
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014): the same numbers in every run.
struct Random(u64);

impl Random {
    /// A number between `-bound` and `bound`.
    fn within(&mut self, bound: f32) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        ((bits >> 40) as f32 / (1u64 << 23) as f32 - 1.0) * bound
    }
}
